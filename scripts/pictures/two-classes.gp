# Throughput of two classes that share every link against the size of their buffers, measured and by the law.
# `same` and `cross` hold: packets of buffer, share of MP, share of DP.
set terminal svg size 760,430 font "Helvetica,13" background "white" noenhanced
set output output
L = 3.3
s = 4096 / 3e3
trip = 2 * L + s
whole = ceil(trip / s)
min(a, b) = a < b ? a : b
# Alone on a link that is never full; two classes fill it from `whole` / 2 packets each on, and the trip takes whole packets.
mp(n) = 2 * n < whole ? n * s / trip : min(1, n / (1.0 * whole))
dp(n) = min(mp(n), 1 - mp(n))
set xrange [0:16.5]
set yrange [0:1.1]
set xtics 2
set grid lc rgb "#dddddd"
set xlabel "buffer of each class at every switch input, packets of 4 KiB"
set ylabel "share of the link's 3 TB/s"
set key at 16.2, 0.86
set samples 1000
plot mp(x) lc rgb "#d62728" lw 2 title "MP, law", \
     dp(x) lc rgb "#1f77b4" lw 2 title "DP, law", \
     same using 1:2 with points pt 7 ps 0.9 lc rgb "#d62728" title "MP, groups alike", \
     same using 1:3 with points pt 7 ps 0.9 lc rgb "#1f77b4" title "DP, groups alike", \
     cross using 1:2 with points pt 6 ps 1.3 lc rgb "#d62728" title "MP, groups that cross", \
     cross using 1:3 with points pt 6 ps 1.3 lc rgb "#1f77b4" title "DP, groups that cross"
