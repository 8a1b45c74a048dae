# python/dlpack_cts/__init__.py: the package of the wheel: starts the program that lies beside it.
"""dlpack-cts: a conformance test suite for DLPack. `python -m dlpack_cts run numpy` judges the NumPy of this interpreter.

In Python, `dlpack_cts.run("numpy")` does the same, and returns the results as a Report (dlpack_cts.results).
"""
# Only what every start needs: `import dlpack_cts` takes a few milliseconds.
import os
import sys

__all__ = ["main", "program", "run"]


def program():
    """The path of the program dlpack-cts."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "dlpack-cts")


def environment():
    """The variables of the program: it judges this interpreter, and knows the adapters of installed packages."""
    from dlpack_cts import adapters

    variables = dict(os.environ)
    variables.setdefault("DLPACK_CTS_PYTHON", sys.executable)
    variables.setdefault("DLPACK_CTS_ADAPTERS", os.pathsep.join(adapters.installed()))
    return variables


def run(library, *arguments):
    """Judges a library; returns a Report. `arguments` are options of `dlpack-cts run`: run("numpy", "--seed", "7").

    Raises dlpack_cts.results.Failed if the library cannot be judged.
    """
    from dlpack_cts import results

    return results.run(library, *arguments)


def main():
    """Replaces this process by the program."""
    try:
        os.execve(program(), ["dlpack-cts"] + sys.argv[1:], environment())
    except OSError as error:
        sys.stderr.write("dlpack-cts: the program %s cannot be started: %s\n  hint: the wheel is for Linux with glibc "
                         "2.28 or later on x86-64; install it again\n" % (program(), error.strerror))
        return 2
