# Time to the exact average against the memory of each aggregator: two rounds of threes, and all nine at once.
set terminal svg size 760,460 font "Helvetica,13" background "white"
set output output
set logscale xy
set xrange [1:40000]
set yrange [0.1:300]
set grid lc rgb "#dddddd"
set xlabel "memory of each aggregator, MB"
set ylabel "time to the exact average, s"
set key top right
set style line 1 lc rgb "#1f77b4" lw 2
set style line 2 lc rgb "#d62728" lw 2
set style line 3 lc rgb "#1f77b4" lw 2 dt 2
set style line 4 lc rgb "#d62728" lw 2 dt 2
set style line 9 lc rgb "#999999" lw 1
do for [x in "44.7 88.2 8000 16000 32000"] { set arrow from x, graph 0 to x, graph 1 nohead ls 9 }
set label "U280, U55C" at 41, 0.14 rotate by 90 tc rgb "#666666" font ",10"
set label "V80" at 82, 0.14 rotate by 90 tc rgb "#666666" font ",10"
set label "U280 HBM" at 7400, 0.7 rotate by 90 tc rgb "#666666" font ",10"
set label "U55C HBM" at 14800, 0.7 rotate by 90 tc rgb "#666666" font ",10"
set label "V80 HBM" at 29600, 0.7 rotate by 90 tc rgb "#666666" font ",10"
set label sprintf("crossover %.0f MB", slow_x) at slow_x, slow_y point pt 6 ps 1.2 offset 1,0.8
set label sprintf("crossover %.0f MB", fast_x) at fast_x, fast_y point pt 6 ps 1.2 offset 1,0.8
plot slow using 1:2 with lines ls 1 title "two rounds of threes, 10 Gb/s", \
     slow using 1:3 with lines ls 2 title "all nine, 10 Gb/s", \
     fast using 1:2 with lines ls 3 title "two rounds of threes, 100 Gb/s", \
     fast using 1:3 with lines ls 4 title "all nine, 100 Gb/s"
