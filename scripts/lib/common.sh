# scripts/lib/common.sh: functions of all scripts: messages, the cache folder, Debian packages, the build.
# shellcheck shell=bash
#
# Source it, do not run it. Every error is one sentence and one hint on standard error, with exit status 2, as in the program.

# The packages of the program itself. python3-dev has the headers of the bridge and Debian's libpython. cmake uses make by
# default for a plug-in.
# shellcheck disable=SC2034  # used by the scripts that source this file
product_packages=(g++ make cmake ninja-build nlohmann-json3-dev libtomlplusplus-dev libcli11-dev libfmt-dev
  python3 python3-dev python3-venv)
# shellcheck disable=SC2034
test_packages=("${product_packages[@]}" libgtest-dev libgmock-dev librapidcheck-dev python3-jsonschema shellcheck)
# shellcheck disable=SC2034
check_packages=(clang-19 clang-format-19 libclang-rt-19-dev shellcheck afl++)
# shellcheck disable=SC2034
browser_packages=(chromium chromium-driver fonts-dejavu-core)
# clang-tidy 19 takes three times as long, because it looks for faults in the headers of the system too.
# shellcheck disable=SC2034
lint_modules=(clang-tidy==23.1.4)
browser_modules=(selenium==4.51.0 axe-core-python==0.1.0 ansi2html==1.9.5 markdown-it-py==4.3.0 pillow==13.0.0)

say() { printf 'dlpack-cts: %s\n' "$1"; }

# help_wanted WORD: for -h and --help, prints the comment at the top of the script and ends.
help_wanted() {
  case "$1" in -h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
  esac
}

# fail WHAT HINT
fail() {
  printf 'dlpack-cts: %s\n  hint: %s\n' "$1" "$2" >&2
  exit 2
}

# The folder of environments and downloads; runner/base/places.cc has the same rule.
cache_folder() {
  if [ -n "${DLPACK_CTS_CACHE:-}" ]; then
    printf '%s\n' "$DLPACK_CTS_CACHE"
  elif [ -n "${XDG_CACHE_HOME:-}" ]; then
    printf '%s\n' "$XDG_CACHE_HOME/dlpack-cts"
  elif [ -n "${HOME:-}" ]; then
    printf '%s\n' "$HOME/.cache/dlpack-cts"
  else
    fail "there is no folder for environments: HOME is not set" "set HOME, or set DLPACK_CTS_CACHE to a folder"
  fi
}

# pypi_tools NAME MEGABYTES MODULE...: the folder of an environment with these modules, which is made at the first call.
pypi_tools() {
  local name=$1 size=$2 folder log
  shift 2
  folder=$(cache_folder)/$name-$(cksum <<<"$*" | cut -d' ' -f1)
  if ! [ -e "$folder/complete" ]; then
    say "making an environment in $folder: $* (about $size MB)" >&2
    log=$(mktemp)
    { python3 -m venv "$folder" && "$folder/bin/python" -m pip install -q "$@"; } >"$log" 2>&1 ||
      fail "pip could not install $* (full output in $log)" "check the network and the disk, then run this script again"
    rm -f "$log"
    touch "$folder/complete"
  fi
  printf '%s\n' "$folder"
}

# The Python that has what drives Chromium, checks pages and makes pictures.
browser_python() {
  local folder
  folder=$(pypi_tools browser 100 "${browser_modules[@]}") && printf '%s\n' "$folder/bin/python"
}

# Sets the array `missing` to those of the packages that are not installed.
find_missing() {
  local installed name
  missing=()
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null) || true
  for name in "$@"; do
    grep -qxF "installed $name" <<<"$installed" || missing+=("$name")
  done
}

# The sizes of the download and on disk, from apt, on one line; empty if a package is not in its lists.
apt_sizes() {
  LC_ALL=C apt-get install --assume-no --no-install-recommends -o Debug::NoLocking=1 "${missing[@]}" 2>/dev/null |
    sed -n 's/^Need to get \(.*\) of archives.*/\1 to fetch/p; s/^After this operation, \(.*\) of additional.*/\1 on disk/p' |
    paste -s -d, | sed 's/,\([^ ]\)/, \1/' || true  # apt-get answers 1 to our "no"
}

# install_packages PACKAGE...: does nothing and prints nothing if all are installed.
install_packages() {
  local missing=() sizes log root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this script installs Debian packages, and this machine has no apt-get" \
      "build by hand (HACKING.md) with the equivalent packages of: $*"
  fi
  find_missing "$@"
  [ ${#missing[@]} = 0 ] && return 0
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      fail "Debian packages are missing and you are not root: ${missing[*]}" \
        "as root: apt-get install --no-install-recommends ${missing[*]}"
    root=(sudo)
  fi
  log=$(mktemp)
  sizes=$(apt_sizes)
  if [ -z "$sizes" ]; then
    say "downloading Debian's package lists (about 10 MB), to find the sizes of the packages"
    "${root[@]}" apt-get update >"$log" 2>&1 || true
    sizes=$(apt_sizes)
  fi
  if [ -z "$sizes" ]; then
    fail "Debian's package lists do not offer: ${missing[*]} (full output in $log)" \
      "check the network and /etc/apt/sources.list; the packages are those of Debian 12"
  fi
  say "installing Debian packages ($sizes): ${missing[*]}"
  if ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install -y -q --no-install-recommends \
    "${missing[@]}" >"$log" 2>&1; then
    # Old package lists may name files that the servers do not have any more.
    "${root[@]}" apt-get update >>"$log" 2>&1 || true
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get install -y -q --no-install-recommends \
      "${missing[@]}" >>"$log" 2>&1 ||
      fail "apt-get could not install the packages: $(grep '^E: ' "$log" | tail -n 1) (full output in $log)" \
        "check the network and the disk, then run this script again"
  fi
  rm -f "$log"
}

# configure PRESET [-DNAME=VALUE...]: runs cmake only if something changed.
configure() {
  local preset=$1 cache="build/$1/CMakeCache.txt" changed=no setting launcher=() log
  shift
  command -v cmake >/dev/null || fail "there is no cmake on PATH" "install the Debian package cmake, or correct PATH"
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  fi
  [ -f "build/$preset/build.ninja" ] || changed=yes
  for setting in "$@"; do
    setting=${setting#-D}
    grep -qsE "^${setting%%=*}:[A-Z]+=" "$cache" && grep -qsF "=${setting#*=}" <(grep -E "^${setting%%=*}:" "$cache") ||
      changed=yes
  done
  [ $changed = no ] && return 0
  mkdir -p build
  log=build/configure-$preset.log
  cmake --preset "$preset" "${launcher[@]}" "$@" >"$log" 2>&1 ||
    fail "cmake could not configure: $(grep -m 1 -A 3 'CMake Error' "$log" | tr -s '\n ' ' ') (full output in $log)" \
      "fix that error; if build/$preset is from another machine or compiler, delete it"
}

# build PRESET [TARGET...]
build() {
  local preset=$1 log plan
  shift
  log=build/build-$preset.log
  plan=$(ninja -C "build/$preset" -n "$@" 2>/dev/null) || true
  [[ $plan == *"no work to do"* ]] && return 0
  say "building in build/$preset (the first time takes some minutes)"
  # On a terminal ninja shows one line of progress; in a log it would be hundreds of lines.
  if [ -t 1 ]; then
    ninja -C "build/$preset" "$@"
  else
    ninja -C "build/$preset" "$@" >"$log" 2>&1 || { grep -A 20 -m 3 -E '^FAILED|error:' "$log" >&2; false; }
  fi || fail "the build failed (see above, and $log)" "a clean tree builds with g++ 12 on Debian 12: see HACKING.md"
}

# cmake prints a page of text if the compiler does not work; this check prints one line.
check_compiler() {
  local compiler=$1
  command -v "$compiler" >/dev/null || fail "there is no compiler: $compiler is not on PATH" "install the Debian package ${compiler/clang++/clang}"
  "$compiler" -std=c++20 -x c++ -o /dev/null - <<<'int main() {}' 2>/dev/null ||
    fail "$compiler cannot compile a C++20 program" "install the Debian packages g++ and libc6-dev again"
}
