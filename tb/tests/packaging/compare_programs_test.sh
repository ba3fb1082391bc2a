#!/usr/bin/env bash
# compare-programs takes programs whose files are equal apart from the figures of the machine, and no others.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"

# program NAME RESULT WAVEFORM STATUS: a stand-in for fredsim that writes these.
program() {
  cat >"$scratch/$1" <<END
#!$BASH
printf '{\n  "status": "$4",\n  "value": $2,\n  "performance": {\n    "wall_s": \$RANDOM\n  }\n}\n' >result.json
echo "$3" >wave.vcd
END
  chmod +x "$scratch/$1"
}
compare() { "$project/scripts/compare-programs" "$scratch/$1" "$scratch/$2"; }

program one 1 '#1' ok
program equal 1 '#1' ok
program other_value 2 '#1' ok
program other_wave 1 '#2' ok
program wrong 1 '#1' wrong_data
expect_exit 0 compare one equal
expect_said "the same bytes"
expect_exit 1 compare one other_value
expect_said "result.json differ"
expect_exit 1 compare one other_wave
expect_said "wave.vcd differ"
expect_exit 1 compare wrong wrong
expect_said "did not end well"
finish
