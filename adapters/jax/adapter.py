# adapters/jax/adapter.py: JAX as producer and consumer, on the CPU.
import inspect
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import jax  # noqa: E402
import jax.dlpack  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy  # noqa: E402
import strided  # noqa: E402

jax.config.update("jax_enable_x64", True)  # or types of 64 bits become shorter ones
TYPES = {name: numpy.dtype(name) for name in strided.NAMES}
TYPES.update({name: numpy.dtype(getattr(ml_dtypes, name)) for name in (
    "bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz "
    "float8_e8m0fnu").split()})
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def device_of(pair):
    kind, number = pair
    return jax.devices("cpu" if kind == 1 else "gpu")[number]


def pair_of(array):
    device = next(iter(array.devices()))
    return (1, 0) if device.platform == "cpu" else (2, device.local_hardware_id)


def version():
    return jax.__version__


def lacks():
    keywords = inspect.signature(jax.dlpack.from_dlpack).parameters
    missing = [f"{word}_keyword" for word in ("copy", "device") if word not in keywords]
    return missing if hasattr(jax.numpy, "__array_namespace_info__") else [*missing, "array_api"]


def from_dlpack(obj, **keywords):
    if keywords.get("device") is not None:
        keywords["device"] = device_of(keywords["device"])
    return jax.dlpack.from_dlpack(obj, **keywords)


def describe(array):
    return (array.unsafe_buffer_pointer() if array.size else None, tuple(array.shape), None,
            NAME_OF.get(numpy.dtype(array.dtype)), pair_of(array), None)


def values(array):
    return numpy.asarray(array).tobytes() if pair_of(array)[0] == 1 else None


def compute(array):
    return jax.numpy.copy(array).block_until_ready()


def laid_out(request):
    """The elements of a request as a NumPy array of their own."""
    if request.dtype not in TYPES:
        raise NotImplementedError(f"JAX has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("every JAX array is immutable, and none is made read-only on request")
    if request.oddity != "none":
        raise NotImplementedError("JAX has no such arrays")
    array = strided.strided(request, numpy, TYPES[request.dtype])
    if not array.flags.c_contiguous:
        raise NotImplementedError("JAX arrays are always compact")
    return array.copy()


def apart(array):
    """A copy at an address that is not a multiple of 64: JAX would share that memory, and treat it differently (findings.md, J9)."""
    store = numpy.empty(array.nbytes + 128, numpy.uint8)
    start = -store.ctypes.data % 64 + array.itemsize
    copy = store[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def make(request):
    return jax.device_put(apart(laid_out(request)), device_of((1, 0))).block_until_ready()
