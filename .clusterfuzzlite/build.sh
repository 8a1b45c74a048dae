#!/usr/bin/env bash
# .clusterfuzzlite/build.sh: builds the targets as for OSS-Fuzz.
set -euo pipefail
exec "$SRC/dlpack-cts/fuzz/oss-fuzz/build.sh"
