# python/dlpack_cts/__init__.py: the package of the wheel: finds and starts the program that lies beside it.
"""dlpack-cts: a conformance test suite for DLPack. `python -m dlpack_cts run numpy` judges the NumPy of this interpreter."""
import os
import sys

__all__ = ["main", "program"]


def program():
    """The path of the program dlpack-cts."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "dlpack-cts")


def main():
    """Replaces this process by the program. It judges this interpreter, unless DLPACK_CTS_PYTHON names another one."""
    os.environ.setdefault("DLPACK_CTS_PYTHON", sys.executable)
    try:
        os.execv(program(), ["dlpack-cts"] + sys.argv[1:])
    except OSError as error:
        sys.stderr.write("dlpack-cts: the program %s cannot be started: %s\n  hint: the wheel is for Linux with glibc "
                         "2.28 or later on x86-64; install it again\n" % (program(), error.strerror))
        return 2
