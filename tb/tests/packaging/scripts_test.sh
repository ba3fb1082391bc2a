#!/usr/bin/env bash
# Every script parses, is executable and explains itself; run.sh and test.sh refuse what they do not know.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"

for script in run.sh test.sh .ci/run scripts/steps.sh scripts/install-packages scripts/check-format \
  scripts/check-package scripts/compare-programs \
  tb/tests/packaging/*.sh; do
  for file in "$project"/$script; do
    expect_exit 0 bash -n "$file"
  done
done
for script in run.sh test.sh scripts/install-packages scripts/check-docs scripts/check-format scripts/check-package \
  scripts/compare-programs; do
  [ -x "$project/$script" ] || complain "$script is not executable"
done

cd -- "$scratch"
for script in run.sh test.sh; do
  expect_exit 0 "$project/$script" --help
  expect_said "Usage: ./$script"
  expect_said "--no-install"
  expect_exit 2 "$project/$script" --frobnicate
  expect_said "unknown argument --frobnicate"
done
expect_exit 0 "$project/scripts/install-packages" --help
expect_said "Usage: scripts/install-packages"
expect_exit 2 "$project/scripts/install-packages"
expect_said "say what to install for: build, test, docs, ci"
expect_exit 2 "$project/scripts/install-packages" biuld
expect_said "biuld is neither an option nor one of build, test, docs, ci"
expect_exit 0 "$project/scripts/check-package" --help
expect_said "Usage: scripts/check-package"
expect_exit 2 "$project/scripts/check-package" "$scratch/none"
expect_said "nothing is built there"
[ -z "$(ls -A)" ] || complain "something was written to the folder the scripts were called from"
finish
