# Measured throughput against the law min(1, n s / (2 L + s)).
set terminal svg size 720,400 font "Helvetica,13" background "white"
set output output
L = 3.3
s = 4096 / 3e3
law(n) = n * s / (2 * L + s) < 1 ? n * s / (2 * L + s) : 1
set xrange [0:8.5]
set yrange [0:1.1]
set xtics 1
set grid lc rgb "#dddddd"
set xlabel "dp buffer of every switch input, packets of 4 KiB"
set ylabel "share of the link's 3 TB/s"
set key bottom right
plot law(x) lc rgb "#1f77b4" lw 2 title "min(1, n s / (2L + s)), L = 3.3 ns, s = 1.37 ns", \
     measured using 1:2 with points pt 7 ps 0.9 lc rgb "#d62728" title "measured, all-reduce of 64 MiB over 8 NPUs"
