# tests/runner/shouting/adapter.py: the toy library, whose texts hold escape sequences, newlines, random values, megabytes.
"""The variable SHOUT names the places, with commas between: version, refusal, wrong, import, print, die,
complaint; long and surrogate make the noise worse."""
import importlib.util
import os
import time

_file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python", "toy_adapter", "adapter.py")
_spec = importlib.util.spec_from_file_location("toy", _file)
toy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(toy)
globals().update({name: value for name, value in vars(toy).items() if not name.startswith("__")})

SHOUT = os.environ.get("SHOUT", "").split(",")
NOISE = ("\x1b[2J\x1b]0;title\x07\r\n\ndlpack-cts: all is well\n\x00\x7f\x9b31m\u202eevil\u2066 caf\xe9 '''\"\"\"\\ "
         "<script>alert(1)</script> | `x` ")
if "long" in SHOUT:
    NOISE += "x" * 10_000_000
if "surrogate" in SHOUT:
    NOISE += "\ud800\udcff"
if "print" in SHOUT:
    os.write(1, NOISE.encode("utf-8", "surrogatepass") + b"\xff\xfe\n")
    os.write(2, NOISE.encode("utf-8", "surrogatepass") + b"\xff\xfe\n")
if "import" in SHOUT:
    raise ImportError(NOISE)
if "die" in SHOUT:
    os.abort()


class Shouted(Exception):
    pass


Shouted.__name__ = Shouted.__qualname__ = "Shouted" + NOISE[:20]


def version():
    return NOISE if "version" in SHOUT else "1.0"


def from_dlpack(obj, **kw):
    where = f"at {id(obj)}, {time.time()}: " + NOISE
    try:
        array = toy.from_dlpack(obj, **kw)
    except BufferError as error:
        raise BufferError(where) from error
    if "refusal" in SHOUT and array.shape:
        raise BufferError(where)
    if "wrong" in SHOUT and array.shape:
        raise Shouted(where)
    return array


def describe(array):
    if "complaint" in SHOUT:
        return array.pointer, array.shape, array.strides, NOISE, (1, 0), True
    return toy.describe(array)

