#!/usr/bin/env bash
# Builds everything and runs the tests.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
. scripts/steps.sh

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
tests=release
target=all
for argument in "$@"; do
  case "$argument" in
    -h | --help) usage && exit 0 ;;
    --quick) tests=quick target=fredsim_quick ;;
    --no-install) options+=(--no-install) ;;
    *) printf 'error: unknown argument %s; ./test.sh --help says what there is\n' "$argument" >&2 && exit 2 ;;
  esac
done

scripts/install-packages "${options[@]}" build test
configure release
build release "$target"
run_tests "$tests"
