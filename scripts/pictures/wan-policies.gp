# Slots in use at Frankfurt under each policy, all nine at once and too little memory, from waveforms. `data` is a folder
# with a folder of vcd-columns for each policy, `ends` says when each ends.
set terminal svg size 900,560 font "Helvetica,13" background "white" noenhanced
set output output
set multiplot
set tics nomirror
set border 3
set grid lc rgb "#dddddd"
set style fill solid 0.25
set xrange [0:6.8]
set yrange [0:11.5]
set ytics 5
unset key
set lmargin at screen 0.09
set rmargin at screen 0.97
set format x ""
set arrow 1 from graph 0, first 10 to graph 1, first 10 nohead dt 2 lc rgb "#666666"
panel(n) = 0.97 - 0.215 * n
used(policy) = sprintf("< cat %s/%s/aggregators.FRA.slots.occupancy; echo %s 0", data, policy, "8e9")
do for [n = 0:3] {
  policy = word("pace backpressure drop bypass", n + 1)
  set tmargin at screen panel(n)
  set bmargin at screen panel(n) - 0.175
  end = real(word(ends, n + 1))
  set arrow 2 from first end, graph 0 to first end, graph 1 nohead lw 2 lc rgb "#d62728"
  set label 1 sprintf("%s: %.2f s", policy, end) at first end + 0.05, graph 0.55 tc rgb "#d62728"
  set label 2 "slots in use, MB" at screen 0.03, screen 0.55 center rotate by 90
  if (n == 3) { set format x "%g"; set xlabel "s" }
  plot used(policy) every 40 using ($1/1e9):($2/1e6) with fillsteps lc rgb "#9467bd", "" every 40 using ($1/1e9):($2/1e6) with steps lc rgb "#9467bd" lw 1.2
}
unset multiplot
