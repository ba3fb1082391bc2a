# One packet and its credit between two ports, to scale: time runs down.
set terminal svg size 720,430 font "Helvetica,13" background "white"
set output output
L = 3.3
s = 4096 / 3e3
unset border
unset tics
unset key
set xrange [-7:18]
set yrange [9.2:-1.2]
set label "sender" at 0,-0.7 center font "Helvetica-Bold,14"
set label "receiver" at 10,-0.7 center font "Helvetica-Bold,14"
set arrow from 0,-0.3 to 0,9 nohead lw 1.5 lc rgb "#555555"
set arrow from 10,-0.3 to 10,9 nohead lw 1.5 lc rgb "#555555"
# The packet in flight and its time in the buffer.
set object 1 polygon from 0,0 to 10,L to 10,L+s to 0,s to 0,0 fillstyle solid 0.35 noborder fc rgb "#1f77b4"
set object 2 rectangle from 10.08,L to 10.4,L+s fillstyle solid 0.8 noborder fc rgb "#1f77b4"
set arrow from 0,0 to 10,L lw 1.5 lc rgb "#1f77b4"
set arrow from 0,s to 10,L+s lw 1.5 lc rgb "#1f77b4"
set arrow from 10,L+s to 0,2*L+s lw 1.5 dt 2 lc rgb "#d62728"
set label "BEGIN_REQ, a packet of 4 KiB" at 5,2.3 center rotate by -25 noenhanced tc rgb "#1f4e79"
set label "CREDIT" at 5,6.0 center rotate by 25 tc rgb "#d62728"
set label "0: head leaves" at -0.25,0 right
set label sprintf("s = %.2f ns: tail leaves", s) at -0.25,s right
set label sprintf("2L + s = %.2f ns:\nroom is free again", 2*L+s) at -0.25,2*L+s-0.2 right
set label sprintf("L = %.1f ns: head arrives", L) at 10.6,L left
set label sprintf("L + s = %.2f ns:\ntail has left the buffer", L+s) at 10.6,L+s left
plot NaN notitle
