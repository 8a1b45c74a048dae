# harness/reproducer/plain/process.py: the child process that runs the exchange, and what the script prints at its end.
import ctypes
import gc
import mmap
import os
import shutil
import signal
import struct
import sys
import tempfile
import types


def process():
    # ---- The exchange. It runs in a child process, because the library may crash.
    STATE = mmap.mmap(-1, 1)  # shared with the child. 1: library imported; 2: not reproduced; 3: reproduced
    if os.fork():
        status = os.wait()[1]
        shutil.rmtree(FOLDER)  #? modules
        end = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "exit %d" % os.WEXITSTATUS(status)  #? death
        end = end.replace("SIGALRM", "timeout")  #? timeout
        print("The child process ended with", end)  #? death
        shown = STATE[0] == 1 and end in EXPECTED_END  #? death
        print("The child process ended with wait status", status)  #? !death
        shown = STATE[0] == 3 and status == 0  #? !death
        missing = FINDING.missing
        print(FINDING.reproduced if shown else "NOT REPRODUCED" if STATE[0] else missing)
        sys.exit(1 if shown else 0 if STATE[0] else 2)
    library = types.ModuleType("adapter")
    library.__file__ = os.path.join(FOLDER, "adapter.py")  #? modules
    library.__file__ = os.path.abspath(__file__)  #? adapter.file
    exec(compile(ADAPTER, "adapter.py", "exec"), library.__dict__)
    STATE[0] = 1
    signal.alarm(10)  #? timeout
    #
