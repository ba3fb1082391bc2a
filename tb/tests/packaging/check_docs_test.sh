#!/usr/bin/env bash
# check-docs takes good pages, and names the line of each kind of bad one.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"

cat >"$scratch/fredsim" <<END
#!$BASH
echo "fredsim \$*"
END
chmod +x "$scratch/fredsim"

# page CODE: checks the page on standard input.
page() {
  cat >"$scratch/page.md"
  expect_exit "$1" "$project/scripts/check-docs" --fredsim "$scratch/fredsim" "$scratch/page.md"
}

page 0 <<'END'
Commands run in the project's root, on a copy of it, and share their files:
```sh
test -f CMakeLists.txt
fredsim run a b > made
fredsim one && fredsim two 12.5 s
test build/release/fredsim -ef "$(command -v fredsim)"
echo last >&2
```
They print:
```text output
fredsim one
fredsim two ... s
...
last
```
  ```sh exit=3
  cat made
  exit 3
  ```
```sh no-ci it never ends
sleep inf
```
```yaml
key: value
```
END
expect_said "2 blocks of commands run, 1 outputs compared"
expect_said "page.md:20: not run: it never ends"
[ ! -e "$project/made" ] || complain "a page's command wrote to the project itself"

bad() {
  page 1
  expect_said "page.md:$1"
  expect_said "$2"
}
bad 2 "exit code 1, not 0" <<'END'
Fails:
```sh
false
```
END
bad 1 "exit code 1, not 0" <<'END'
```sh
false
true
```
END
bad 1 "exit code 1, not 0" <<'END'
```sh
false | true
```
END
bad 1 "exit code 127, not 0" <<'END'
```sh
no_such_command
```
END
bad 1 "exit code 0, not 2" <<'END'
```sh exit=2
fredsim run
```
END
bad 4 "the page shows one line --- but what is printed is fredsim run" <<'END'
```sh
fredsim run
```
```text output
one line
```
END
bad 4 "but what is printed is" <<'END'
```sh
fredsim run && fredsim more
```
```text output
fredsim run
```
END
bad 1 "there is no sh block that runs just before it" <<'END'
```text output
one line
```
END
bad 1 "a block without a language" <<'END'
```
fredsim run
```
END
bad 1 "commands are sh" <<'END'
```bash
fredsim run
```
END
bad 1 "known are exit=CODE, display, no-ci REASON" <<'END'
```sh exit:2
fredsim run
```
END
bad 1 "say why" <<'END'
```sh no-ci
fredsim run
```
END
bad 1 "never closed" <<'END'
```sh
fredsim run
END

expect_exit 2 "$project/scripts/check-docs" --fredsim "$scratch/none/fredsim"
expect_said "not a program named fredsim"
expect_exit 1 "$project/scripts/check-docs" --fredsim "$scratch/fredsim" "$scratch/no_page.md"
expect_said "no_page.md"
finish
