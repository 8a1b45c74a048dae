# tests/fuzz/built.py: the programs under test; skips the tests if the libFuzzer program is not built.
import os
import pathlib
import sys
import unittest

PROGRAM = os.environ["DLPACK_CTS"]
SKIP = 77


def fuzz_program():
    """The path of dlpack-cts-fuzz, or None."""
    folder = pathlib.Path(PROGRAM).resolve().parent
    for place in (folder, folder / "../fuzz"):
        if (place / "dlpack-cts-fuzz").exists():
            return place / "dlpack-cts-fuzz"
    return None


def main():
    """Runs the tests of the script. They need clang: without it they are skipped, but in CI they may not be."""
    if fuzz_program():
        unittest.main()
    print("the libFuzzer program is not built: cmake --preset fuzz && ninja -C build/fuzz dlpack-cts-fuzz")
    sys.exit(1 if os.environ.get("DLPACK_CTS_FUZZ_MUST_BE_BUILT") else SKIP)
