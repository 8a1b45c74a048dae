# adapters/jax-cuda/adapter.py: JAX as producer and consumer, on a CUDA device; the rest is as on the CPU.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import jax  # noqa: E402
import numpy  # noqa: E402
import strided  # noqa: E402

_cpu = strided.adapter_of("jax")
version, from_dlpack, describe, values = _cpu.version, _cpu.from_dlpack, _cpu.describe, _cpu.values
NOT_TRIED = {"float8_e3m4", "float8_e4m3", "float8_e8m0fnu"}  # on a device


def make(request):
    if request.dtype in NOT_TRIED:
        raise NotImplementedError(f"{request.dtype} is not made on a device yet")
    return jax.device_put(_cpu.laid_out(request), _cpu.device_of((2, 0))).block_until_ready()


def fetch(array):
    """A computation of JAX reads the elements."""
    if _cpu.pair_of(array)[0] == 1:
        return None
    read = jax.numpy.logical_or(array, False) if array.dtype == bool else array + numpy.asarray(0, array.dtype)
    return numpy.asarray(read).tobytes()
