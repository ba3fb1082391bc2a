#!/usr/bin/env bash
# What is missing is named, and only that is installed. The system is a make-believe one: a PATH of nothing but the
# tools the scripts use and stand-ins for dpkg-query, apt-get, id and sudo that write down what they are asked.
. "$(dirname -- "${BASH_SOURCE[0]}")/expect.sh"

bin="$scratch/bin"
asked="$scratch/asked"
mkdir "$bin"
for tool in awk bash cat dirname env grep mktemp rm tail; do
  ln -s "$(command -v "$tool")" "$bin/$tool"
done

stand_in() {
  { echo "#!$BASH" && cat; } >"$bin/$1"
  chmod +x "$bin/$1"
}
stand_in dpkg-query <<'END'
status=0
for package in "${@:4}"; do
  case " $MISSING " in
    *" $package "*) echo "dpkg-query: no packages found matching $package" >&2 && status=1 ;;
    *) case " $REMOVED " in
         *" $package "*) echo "config-files $package" ;;
         *) echo "installed $package" ;;
       esac ;;
  esac
done
exit "$status"
END
stand_in apt-get <<END
echo "apt-get \$*" >>"$asked"
case "\$*" in *" update") exit "\$UPDATE" ;; *) echo "said by apt" && exit "\$INSTALL" ;; esac
END
stand_in id <<'END'
echo "$USER_ID"
END

# expect_install CODE SCRIPT ARGUMENT...: calls the project's script in the make-believe system.
MISSING="" REMOVED="" USER_ID=0 UPDATE=0 INSTALL=0
expect_install() {
  local code=$1 script=$2
  shift 2
  : >"$asked"
  expect_exit "$code" env -i PATH="$bin" TMPDIR="$scratch" MISSING="$MISSING" REMOVED="$REMOVED" USER_ID="$USER_ID" \
    UPDATE="$UPDATE" INSTALL="$INSTALL" "$BASH" "$project/$script" "$@"
}
expect_asked() {
  grep -qxF -- "$1" "$asked" || complain "apt-get was not asked: $1; but: $(cat "$asked")"
}
expect_nothing_asked() {
  [ ! -s "$asked" ] || complain "nothing was to be asked, but: $(cat "$asked")"
}
install="apt-get -q -o Dpkg::Use-Pty=0 install --yes --no-install-recommends"

# Everything is there: nothing is done, so it works without a network.
expect_install 0 scripts/install-packages build test docs ci
expect_said "are installed"
expect_nothing_asked

# Only named, by the scripts that call it too.
MISSING="libsystemc-dev ninja-build"
for call in "scripts/install-packages --no-install build" "run.sh --no-install" "test.sh --no-install"; do
  # shellcheck disable=SC2086 # words
  expect_install 2 $call
  expect_said "missing: libsystemc-dev ninja-build"
  expect_said "apt-get install libsystemc-dev ninja-build"
  expect_nothing_asked
done

# Installed: those and no others; a list that cannot be updated does not matter if the rest works.
for UPDATE in 0 100; do
  expect_install 0 scripts/install-packages build
  expect_said "installing libsystemc-dev ninja-build"
  expect_asked "$install libsystemc-dev ninja-build"
  expect_not_said "said by apt"
done

# What the tests need is asked for by the tests only.
MISSING=libgtest-dev
expect_install 0 scripts/install-packages build
expect_nothing_asked
expect_install 2 test.sh --no-install
expect_said "missing: libgtest-dev"

# Removed but not purged is missing.
MISSING="" REMOVED=cmake
expect_install 2 scripts/install-packages --no-install build
expect_said "missing: cmake"
REMOVED=""

# apt-get fails: what it said is shown.
MISSING=cmake INSTALL=100
expect_install 2 scripts/install-packages build
expect_said "said by apt"
expect_said "could not install: cmake"
INSTALL=0

# Not root: with sudo, or with words.
USER_ID=1000
expect_install 2 scripts/install-packages build
expect_said "as root: apt-get install cmake"
expect_nothing_asked
stand_in sudo <<'END'
exec "$@"
END
expect_install 0 scripts/install-packages build
expect_asked "$install cmake"

# Not Debian: CMake is left to say it.
rm -- "$bin/dpkg-query"
expect_install 0 scripts/install-packages build
expect_said "not checked"
expect_nothing_asked

# One package a line after a need that install-packages knows, each package once.
expect_exit 1 grep -vE '^#|^(build|test|docs|ci) +[a-z0-9.+-]+$' "$project/scripts/packages.txt"
said=$(awk '$1 !~ /^#/ {print $2}' "$project/scripts/packages.txt" | sort | uniq -d)
[ -z "$said" ] || complain "packages are listed twice"
finish
