#!/usr/bin/env bash
# Builds everything and runs the tests.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"

usage() {
  cat <<'END'
Usage: ./test.sh [--quick] [--no-install]
Builds everything in build/release and runs the tests, all but those labelled long.
Installs the Debian packages that are missing (as root or with sudo).
  --quick        only the tests labelled quick, in under two minutes
  --no-install   only name the packages that are missing; exit 2 if any is
  -h, --help     print this
The long tests: ctest --preset long. One test: ctest --preset release -R NAME.
END
}

options=()
preset=release
target=all
for argument in "$@"; do
  case "$argument" in
    -h | --help) usage && exit 0 ;;
    --quick) preset=quick target=fredsim_quick ;;
    --no-install) options+=(--no-install) ;;
    *) printf 'error: unknown argument %s; ./test.sh --help says what there is\n' "$argument" >&2 && exit 2 ;;
  esac
done

scripts/install-packages "${options[@]}" build test
echo "configure: cmake --preset release"
mkdir -p build
cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log >&2 && exit 1; }
echo "build: cmake --build --preset release --target $target (the first time takes minutes)"
# On a terminal ninja and ctest show their progress in one line; elsewhere a line for each file and test would bury the rest.
[ -t 1 ] && quiet=() || quiet=(-- --quiet)
cmake --build --preset release --target "$target" --parallel "$(nproc)" "${quiet[@]}"
echo "test: ctest --preset $preset"
if [ -t 1 ]; then
  ctest --preset "$preset" --parallel "$(nproc)" --progress
else
  ctest --preset "$preset" --parallel "$(nproc)" |
    grep -vE '^ +Start +[0-9]+: |^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed +[0-9.]+ sec$|^(Test project|Label Time Summary|[a-z]+ += .*sec\*proc)'
fi
