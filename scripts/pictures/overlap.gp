# What happens at one switch when an MP all-reduce comes while a DP all-reduce is under way: signals of a
# waveform, annotated. `data` is the folder of vcd-columns.
set terminal svg size 900,620 font "Helvetica,13" background "white" noenhanced
set output output
set multiplot
set xrange [597:619]
set lmargin at screen 0.17
set rmargin at screen 0.98
unset key
set tics nomirror
unset xtics
set border 1
set style fill solid 0.25
kib = 4096.0

# Moments, from the waveform: the MP operation starts; MP packets stand at all four ports; the last DP tail has left;
# the MP route set is served.
starts = 600.0
ready = real(system(sprintf("awk '$1 > %f && $2 > 0 {print $1; exit}' %s/l1_0.in0.vc_mp.occupancy", starts, data)))
drained = real(system(sprintf("awk '$2 == \"reconfiguring\" && $1 > %f {print $1; exit}' %s/l1_0.control.traffic_class", ready, data)))
served = real(system(sprintf("awk '$2 == \"mp\" && $1 > %f {print $1; exit}' %s/l1_0.control.traffic_class", drained, data)))

do for [t in sprintf("%f %f %f %f", starts, ready, drained, served)] {
  set arrow from first real(t), screen 0.07 to first real(t), screen 0.86 nohead dt 3 lc rgb "#888888"
}
set label "1" at first starts, screen 0.88 center font "Helvetica-Bold,15" tc rgb "#d62728"
set label "2" at first ready - 0.15, screen 0.88 center font "Helvetica-Bold,15" tc rgb "#d62728"
set label "3" at first drained - 0.15, screen 0.88 center font "Helvetica-Bold,15" tc rgb "#d62728"
set label "4" at first served + 0.25, screen 0.88 center font "Helvetica-Bold,15" tc rgb "#d62728"
set label "1  mp0.0 starts at the NPUs      2  MP packets stand at all four ports: no more DP is let in" at screen 0.17, screen 0.965
set label "3  the last DP tail has left: the route set changes      4  the MP route set is served" at screen 0.17, screen 0.93

panel(n) = 0.86 - 0.13 * n
state(name) = sprintf("< awk 'NR > 1 {print t, v, $1} {t = $1; v = $2} END {print t, v, 700}' %s/%s", data, name)

set tmargin at screen panel(0)
set bmargin at screen panel(0) - 0.10
set yrange [0:1.2]
unset ytics
set label 10 "npu0\nMP operation" at screen 0.16, screen panel(0) - 0.04 right
plot state("npu0.vc_mp.operation") using (stringcolumn(2) eq "idle" ? NaN : $1):(0):1:(stringcolumn(2) eq "idle" ? $1 : $3):(0):(1) with boxxyerror lc rgb "#d62728", \
     "" using ($1 < 600.5 && stringcolumn(2) ne "idle" ? 602 : NaN):(0.5):2 with labels
unset arrow
unset label
set tmargin at screen panel(1)
set bmargin at screen panel(1) - 0.10
set label 10 "l1_0\nclass" at screen 0.16, screen panel(1) - 0.04 right
plot state("l1_0.control.traffic_class") using (stringcolumn(2) eq "dp" ? $1 : NaN):(0):1:3:(0):(1) with boxxyerror lc rgb "#1f77b4", \
     "" using (stringcolumn(2) eq "mp" ? $1 : NaN):(0):1:3:(0):(1) with boxxyerror lc rgb "#d62728", \
     "" using (stringcolumn(2) eq "reconfiguring" ? $1 : NaN):(0):1:3:(0):(1) with boxxyerror fs solid 1 lc rgb "#333333", \
     "< echo 600 0.5 DP; echo 612 0.5 MP" using 1:2:3 with labels
set ytics 2
set tmargin at screen panel(2)
set bmargin at screen panel(2) - 0.10
set yrange [0:7]
set label 10 "l1_0.in0 MP\npackets" at screen 0.13, screen panel(2) - 0.04 right
plot data."/l1_0.in0.vc_mp.occupancy" using 1:($2/kib) with fillsteps lc rgb "#d62728", "" using 1:($2/kib) with steps lc rgb "#d62728" lw 1.5
set tmargin at screen panel(3)
set bmargin at screen panel(3) - 0.10
set label 10 "l1_0.in0 DP\npackets" at screen 0.13, screen panel(3) - 0.04 right
plot data."/l1_0.in0.vc_dp.occupancy" using 1:($2/kib) with fillsteps lc rgb "#1f77b4", "" using 1:($2/kib) with steps lc rgb "#1f77b4" lw 1.5
set tmargin at screen panel(4)
set bmargin at screen panel(4) - 0.10
set yrange [0:9]
set ytics 4
set label 10 "flows ready,\nother set\nserved" at screen 0.13, screen panel(4) - 0.03 right
plot data."/l1_0.control.stalled.other_route_set" using 1:2 with fillsteps lc rgb "#9467bd", "" using 1:2 with steps lc rgb "#9467bd" lw 1.5
set tmargin at screen panel(5)
set bmargin at screen panel(5) - 0.10
set label 10 "flows\nstreaming" at screen 0.13, screen panel(5) - 0.04 right
set xtics 2
set xlabel "ns"
plot data."/l1_0.control.streaming" using 1:2 with fillsteps lc rgb "#2ca02c", "" using 1:2 with steps lc rgb "#2ca02c" lw 1.5
unset multiplot
