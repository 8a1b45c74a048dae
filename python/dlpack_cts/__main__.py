# python/dlpack_cts/__main__.py: makes `python -m dlpack_cts` the same as the command dlpack-cts.
import sys

from dlpack_cts import main

if __name__ == "__main__":
    sys.exit(main())
