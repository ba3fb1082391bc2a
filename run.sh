#!/usr/bin/env bash
# Builds fredsim and replays an all-reduce of 8 NPUs on one FRED switch, with a waveform.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
. scripts/steps.sh

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

scripts/install-packages "${options[@]}" build
# The tests need more packages; a folder that was configured with them stays so.
[ -e build/release/build.ninja ] || configure release -DBUILD_TESTING=OFF
build release fredsim
mkdir -p out
run=(build/release/fredsim run tb/configs/single_switch.yaml --trace traces/samples/all_reduce_8npus_64MiB.jsonl
  --json out/result.json --vcd out/wave.vcd)
echo "run: ${run[*]}"
"${run[@]}"
cat <<'END'
results   out/result.json
layout    out/wave.gtkw, for GTKWave (Debian package gtkwave)
look:     gtkwave out/wave.vcd out/wave.gtkw
END
