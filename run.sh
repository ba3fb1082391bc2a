#!/usr/bin/env bash
# Builds fredsim and replays an all-reduce of 8 NPUs on one FRED switch, with a waveform.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

usage() {
  cat <<'END'
Usage: ./run.sh [--no-install]
Builds fredsim and replays an all-reduce of 64 MiB over 8 NPUs on one FRED switch, checking every value.
Installs the Debian packages that are missing (as root or with sudo), builds in build/release, writes to out/.
  --no-install   only name the packages that are missing; exit 2 if any is
  -h, --help     print this
END
}

options=()
for argument in "$@"; do
  case "$argument" in
    -h | --help) usage && exit 0 ;;
    --no-install) options+=(--no-install) ;;
    *) printf 'error: unknown argument %s; ./run.sh --help says what there is\n' "$argument" >&2 && exit 2 ;;
  esac
done

# Runs a command that has much to say, and shows it only if it fails.
quietly() {
  "$@" >out/build.log 2>&1 || { cat out/build.log >&2 && exit 1; }
}

scripts/install-packages "${options[@]}" build
mkdir -p out
if [ ! -e build/release/build.ninja ]; then
  echo "configure: cmake --preset release"
  quietly cmake --preset release -DBUILD_TESTING=OFF
fi
echo "build: cmake --build --preset release --target fredsim (the first time takes minutes)"
# On a terminal ninja shows its progress in one line; elsewhere it would be a line for each file.
[ -t 1 ] && quiet=() || quiet=(-- --quiet)
cmake --build --preset release --target fredsim --parallel "$(nproc)" "${quiet[@]}"
run=(build/release/fredsim run tb/configs/single_switch.yaml --trace traces/samples/all_reduce_8npus_64MiB.jsonl
  --json out/result.json --vcd out/wave.vcd)
echo "run: ${run[*]}"
"${run[@]}"
cat <<'END'
result    out/result.json
layout    out/wave.gtkw, for GTKWave (Debian package gtkwave)
look:     gtkwave out/wave.vcd out/wave.gtkw
END
