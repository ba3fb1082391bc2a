#!/usr/bin/env bash
# A sweep by Slurm gives the database that it gives here. Starts a Slurm of its own, one node, all in a temporary
# folder; needs root and Debian's packages munge and slurm-wlm, and is skipped (77) where it cannot start.
#   slurm_test.sh PROJECT FREDSIM
set -euo pipefail
project=$1 fredsim=$2

skip() {
  echo "skipped: $*"
  exit 77
}
[ "$(id -u)" -eq 0 ] || skip "only root can start a Slurm of its own"
for program in munged slurmctld slurmd sbatch squeue scancel python3; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin command -v "$program" >/dev/null ||
    skip "$program is not installed (apt-get install munge slurm-wlm python3)"
done
PATH=$PATH:/usr/sbin

work=$(mktemp -d)
pids=()
finish() {
  local status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 77 ] || tail -n 20 "$work"/*.log
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

chmod 755 "$work"
mkdir "$work/state" "$work/spool"
head -c 1024 /dev/urandom >"$work/munge.key"
chmod 600 "$work/munge.key"
# --force: a folder below /tmp is nothing that munged trusts by itself.
munged --foreground --force --socket="$work/munge.sock" --key-file="$work/munge.key" --pid-file="$work/munged.pid" \
  --seed-file="$work/munge.seed" --log-file="$work/munged.log" >"$work/munged.out.log" 2>&1 &
pids+=($!)

# Two ports that nobody listens on.
read -r control_port node_port < <(python3 -c '
import socket
a, b = socket.socket(), socket.socket()
a.bind(("127.0.0.1", 0)); b.bind(("127.0.0.1", 0))
print(a.getsockname()[1], b.getsockname()[1])')
node=$(hostname -s)
cat >"$work/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$control_port
SlurmdPort=$node_port
AuthType=auth/munge
AuthInfo=socket=$work/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
MaxArraySize=9
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF=$work/slurm.conf
slurmctld -D >"$work/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$node" >"$work/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 60); do
  state=$(sinfo --noheader --format=%T 2>/dev/null || true)
  [ "$state" = idle ] && break
  sleep 0.5
done
if [ "$state" != idle ]; then
  tail -n 5 "$work"/*.log
  skip "Slurm does not start here (see above)"
fi

cd "$work"
cat >t.jsonl <<'TRACE'
{"format":"fredsim-trace","version":1,"npus":8,"name":"small"}
{"id":"a","type":"all_reduce","npus":[0,2],"bytes":65536}
{"id":"b","type":"all_reduce","npus":[1,5],"bytes":65536}
{"id":"c","type":"all_reduce","npus":[3,4],"bytes":65536}
TRACE
# Ten points, more than one array may have here, and two that fail: m = 2 does not route the three groups.
cat >s.yaml <<SWEEP
config: $project/tb/configs/single_switch.yaml
trace: t.jsonl
set: {switch.conflict: fail}
zip:
- {switch.middle: [2, 3, 3, 3, 3], buffer.dp: [8 KiB, 8 KiB, 12 KiB, 16 KiB, 24 KiB]}
cross: {link.latency: [1.1 ns, 3.3 ns]}
find: {minimize: buffer.dp, subject_to: algbw_gbytes_per_s >= 0.99 of best}
SWEEP

run() { # run ARGUMENT...: two points fail, so 3 is right
  local code=0
  "$fredsim" sweep s.yaml "$@" >out || code=$?
  [ "$code" -eq 3 ] || { echo "exit code $code of: $*"; return 1; }
  grep -q "8 ok, 2 failed" out
}
cat >same.py <<'PYTHON'
import sqlite3, sys
def content(folder):
    database = sqlite3.connect(folder + "/sweep.sqlite")
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    tables = "sweep axes points parameters metrics results answers answer_points".split()
    return {t: sorted(map(repr, database.execute(f"SELECT * FROM {t}"))) for t in tables}
first, second = map(content, sys.argv[1:3])
for table in first:
    assert first[table] == second[table], (table, set(first[table]) ^ set(second[table]))
assert len(first["points"]) == 10 and len(first["results"]) == 8
PYTHON

run --jobs 2 --out local
run --engine slurm --out slurm
python3 same.py local slurm
cmp local/points.csv slurm/points.csv
[ ! -e slurm/jobs ] || { echo "files of jobs are left"; exit 1; }

# Killed, it goes on with what the jobs have left, and leaves no job of before behind.
"$fredsim" sweep s.yaml --engine slurm --out killed >out 2>&1 &
sweep=$!
for _ in $(seq 200); do
  [ -n "$(squeue --noheader)" ] && break
  sleep 0.1
done
[ -n "$(squeue --noheader)" ] || { echo "nothing was submitted"; exit 1; }
kill -KILL "$sweep"
wait "$sweep" || true
run --engine slurm --out killed --resume
python3 same.py local killed
cmp local/points.csv killed/points.csv
[ -z "$(squeue --noheader)" ] || { echo "a job of the killed sweep goes on"; exit 1; }

# What Slurm refuses is said, and nothing else is.
code=0
"$fredsim" sweep s.yaml --engine slurm --out none --slurm-option partition=nowhere 2>said || code=$?
[ "$code" -eq 2 ] && grep -q "sbatch failed" said

# Interrupted, it cancels what it has submitted.
cat >long.jsonl <<'TRACE'
{"format":"fredsim-trace","version":1,"npus":8,"name":"long"}
{"id":"a","type":"all_reduce","npus":[0,1,2,3,4,5,6,7],"bytes":100000000000}
TRACE
sed -e 's/t.jsonl/long.jsonl/' -e '/^zip/,$d' s.yaml >long.yaml
"$fredsim" sweep long.yaml --engine slurm --out long >out 2>&1 &
sweep=$!
for _ in $(seq 100); do
  [ -n "$(squeue --noheader --states=running)" ] && break
  sleep 0.2
done
[ -n "$(squeue --noheader --states=running)" ]
kill -TERM "$sweep"
code=0
wait "$sweep" || code=$?
[ "$code" -eq 3 ]
for _ in $(seq 100); do
  [ -z "$(squeue --noheader)" ] && break
  sleep 0.2
done
[ -z "$(squeue --noheader)" ] || { echo "the job goes on"; exit 1; }
echo passed
