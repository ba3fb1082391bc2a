# A round as Frankfurt's aggregator sees it, from waveforms: what has come from each source, and the slot memory. `nine`
# and `threes` are folders of vcd-columns.
set terminal svg size 980,560 font "Helvetica,13" background "white" noenhanced
set output output
set multiplot
set tics nomirror
set border 3
set grid lc rgb "#dddddd"
mb = 8994e-6
far = "TYO SEO SIN"
near = "LON AMS"
middle = "NYC CHI LAX"
come(folder, city) = sprintf("%s/aggregators.FRA.from_%s.packet", folder, city)
memory(folder) = folder."/aggregators.FRA.slots.occupancy"

set tmargin at screen 0.91
set bmargin at screen 0.50
set yrange [0:110]
set ytics 25
set format x ""
set lmargin at screen 0.075
set rmargin at screen 0.52
set xrange [0:0.8]
set ylabel "arrived, MB"
set key bottom right samplen 2
set title "all nine at once, 44.7 MB of slots" offset 0,-0.5
plot for [c in near] come(nine, c) every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#1f77b4" title c, \
     for [c in middle] come(nine, c) every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#2ca02c" title c, \
     for [c in far] come(nine, c) every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#d62728" title c
set lmargin at screen 0.585
set rmargin at screen 0.985
set xrange [0:0.4]
unset ylabel
set title "two rounds of threes" offset 0,-0.5
plot for [c in near] come(threes, c) every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#1f77b4" title c, \
     come(threes, "CHI") every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#2ca02c" title "CHI", \
     come(threes, "TYO") every 200::1 using ($1/1e9):($2*mb) with lines lw 2 lc rgb "#d62728" title "TYO"

unset title
unset key
set format x "%g"
set xlabel "s"
set tmargin at screen 0.44
set bmargin at screen 0.11
set yrange [0:50]
set ytics 10
set lmargin at screen 0.075
set rmargin at screen 0.52
set xrange [0:0.8]
set ylabel "slots in use, MB"
set style fill solid 0.25
set arrow 1 from graph 0, first 44.7 to graph 1, first 44.7 nohead dt 2 lc rgb "#666666"
plot memory(nine) every 100 using ($1/1e9):($2/1e6) with fillsteps lc rgb "#9467bd", "" every 100 using ($1/1e9):($2/1e6) with steps lc rgb "#9467bd" lw 1.5
set lmargin at screen 0.585
set rmargin at screen 0.985
set xrange [0:0.4]
unset ylabel
set label "never more than two packets" at graph 0.5, first 5 center tc rgb "#9467bd"
plot memory(threes) every 100 using ($1/1e9):($2/1e6) with fillsteps lc rgb "#9467bd", "" every 100 using ($1/1e9):($2/1e6) with steps lc rgb "#9467bd" lw 1.5
unset multiplot
