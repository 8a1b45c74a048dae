# adapters/jax-cuda/adapter.py: JAX as producer and consumer, on a CUDA device.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import jax  # noqa: E402
import jax.dlpack  # noqa: E402
import ml_dtypes  # noqa: E402
import numpy  # noqa: E402
import strided  # noqa: E402

jax.config.update("jax_enable_x64", True)  # or types of 64 bits become shorter ones
TYPES = {name: numpy.dtype(name) for name in (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()}
TYPES.update({name: numpy.dtype(getattr(ml_dtypes, name)) for name in (
    "bfloat16 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz").split()})
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def _device(pair):
    kind, number = pair
    return jax.devices("cpu" if kind == 1 else "gpu")[number]


def _pair(array):
    device = next(iter(array.devices()))
    return (1, 0) if device.platform == "cpu" else (2, device.local_hardware_id)


def version():
    return jax.__version__


def from_dlpack(obj, **keywords):
    if keywords.get("device") is not None:
        keywords["device"] = _device(keywords["device"])
    return jax.dlpack.from_dlpack(obj, **keywords)


def describe(array):
    return (array.unsafe_buffer_pointer() if array.size else None, tuple(array.shape), None,
            NAME_OF.get(numpy.dtype(array.dtype)), _pair(array), None)


def values(array):
    return numpy.asarray(array).tobytes() if _pair(array)[0] == 1 else None


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"JAX has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("every JAX array is immutable, and none is made read-only on request")
    if request.oddity != "none":
        raise NotImplementedError("JAX has no such arrays")
    laid_out = strided.strided(request, numpy, TYPES[request.dtype])
    if not laid_out.flags.c_contiguous:
        raise NotImplementedError("JAX arrays are always compact")
    return jax.device_put(laid_out.copy(), _device((2, 0))).block_until_ready()


def fetch(array):
    """A computation of JAX reads the elements."""
    if _pair(array)[0] == 1:
        return None
    read = jax.numpy.logical_or(array, False) if array.dtype == bool else array + numpy.asarray(0, array.dtype)
    return numpy.asarray(read).tobytes()
