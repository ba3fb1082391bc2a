# Where the time of training goes: four workloads on the mesh, Fred-C and Fred-D, in parts of the time on the mesh.
# `data`: a line for each run, the system, shares of compute and of exposed MP, PP, DP, stream and load, the rest, and the
# speed-up; an empty one behind each workload.
set terminal svg size 900,420 font "Helvetica,13" background "white"
set output output
set style data histograms
set style histogram rowstacked
set style fill solid 0.85 border -1
set boxwidth 0.8
set yrange [0:1.25]
set ylabel "time, mesh = 1"
set key outside right top reverse Left
set xtics rotate by -35 nomirror
set ytics nomirror
set grid y lc rgb "#dddddd"
names = "ResNet-152 Transformer-17B GPT-3 Transformer-1T"
do for [i=1:4] { set label i word(names, i) at first (i - 1) * 4 + 1, 1.19 center font "Helvetica-Bold,13" }
plot data using 2:xtic(1) title "compute" lc rgb "#999999", \
     "" using 3 title "MP" lc rgb "#d62728", \
     "" using 4 title "PP" lc rgb "#ff7f0e", \
     "" using 5 title "DP" lc rgb "#1f77b4", \
     "" using 6 title "stream" lc rgb "#2ca02c", \
     "" using 7 title "load" lc rgb "#98df8a", \
     "" using 8 title "idle" lc rgb "#eeeeee", \
     "" using ($9 > 0 ? $0 : NaN):(1 / $9 + 0.03):(sprintf("%.2f", $9)) with labels notitle
