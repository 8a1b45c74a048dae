# tests/worker/hanging/adapter.py: the toy library, which hangs in one of six ways, or is slow.
"""HANG names the way: "import", "export" or "deleter" hang in every call; in "helper" the deleter waits for a thread
that needs the GIL; in "dropped" a deleter that runs while another one does releases nothing; in "lock" an import waits for
the GIL with a lock that other imports wait for with the GIL. "slow-deleter" and "slow-import" only take long."""
import ctypes
import importlib.util
import os
import threading
import time

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "toy_adapter", "adapter.py")
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})

HANG = os.environ.get("HANG", "")
WITH_GIL = ctypes.PyDLL(None)  # its functions do not release the GIL
KEEPS_GIL = ctypes.create_string_buffer(64)  # a semaphore
WITH_GIL.sem_init(KEEPS_GIL, 0, 1)


def _hang():
    time.sleep(3600)


def _wait_for_helper(address):
    done = ctypes.create_string_buffer(64)
    WITH_GIL.sem_init(done, 0, 0)

    def help_it():
        time.sleep(0.001)  # until the other thread waits
        _release(address)
        WITH_GIL.sem_post(done)

    threading.Thread(target=help_it).start()
    WITH_GIL.sem_wait(done)


_releasing = threading.Lock()


def _drop_if_busy(address):
    if _releasing.acquire(blocking=False):
        time.sleep(0.0005)
        _release(address)
        _releasing.release()


def _release(address):
    toy.exported.pop(address, None)


@toy.Deleter
def forget(address):
    if HANG == "deleter":
        _hang()
    elif HANG == "helper":
        _wait_for_helper(address)
    elif HANG == "dropped":
        _drop_if_busy(address)
    elif HANG == "slow-deleter":
        time.sleep(0.02)
        _release(address)
    else:
        _release(address)


toy.forget = forget
_export = toy.Array.__dlpack__


def __dlpack__(self, **kw):
    if HANG == "export":
        _hang()
    return _export(self, **kw)


toy.Array.__dlpack__ = __dlpack__


def from_dlpack(obj, **kw):
    if HANG == "import":
        _hang()
    if HANG == "slow-import":
        time.sleep(0.05)
    if HANG != "lock":
        return toy.from_dlpack(obj, **kw)
    WITH_GIL.sem_wait(KEEPS_GIL)
    try:
        time.sleep(0)
        return toy.from_dlpack(obj, **kw)
    finally:
        WITH_GIL.sem_post(KEEPS_GIL)
