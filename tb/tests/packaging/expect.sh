# shellcheck shell=bash
# What the tests here share; to be sourced. Each test gets an empty folder, $scratch, that goes away with it.
set -euo pipefail
# shellcheck disable=SC2034 # for the tests
project=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
said=""
failures=0

complain() {
  printf 'FAILED: %s\n--- what was said\n%s\n---\n' "$1" "$said"
  failures=$((failures + 1))
}

# expect_exit CODE COMMAND...: runs the command and keeps what it prints in $said.
expect_exit() {
  local expected=$1 code=0
  shift
  said=$("$@" 2>&1 </dev/null) || code=$?
  [ "$code" -eq "$expected" ] || complain "$*: exit code $code, not $expected"
}

# expect_said TEXT: the last command printed it; line ends count as blanks, because CMake wraps its messages.
expect_said() {
  tr -s ' \n' ' ' <<<"$said" | grep -qF -- "$1" || complain "expected: $1"
}

expect_not_said() {
  ! grep -qF -- "$1" <<<"$said" || complain "not expected: $1"
}

finish() {
  [ "$failures" -eq 0 ] || exit 1
  echo "all as expected"
}
