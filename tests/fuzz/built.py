# tests/fuzz/built.py: the program under test; skips the tests if its fuzz targets are not built.
import os
import pathlib
import sys
import unittest

PROGRAM = os.environ["DLPACK_CTS"]
SKIP = 77


def main():
    """Runs the tests of the script. They need clang: without it they are skipped, but in CI they may not be."""
    folder = pathlib.Path(PROGRAM).resolve().parent
    if any((place / "dlpack-cts-fuzz").exists() for place in (folder, folder / "../fuzz")):
        unittest.main()
    print("the fuzz targets are not built: cmake --preset fuzz && ninja -C build/fuzz dlpack-cts-fuzz")
    sys.exit(1 if os.environ.get("DLPACK_CTS_FUZZ_MUST_BE_BUILT") else SKIP)
