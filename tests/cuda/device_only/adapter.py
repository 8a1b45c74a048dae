# tests/cuda/device_only/adapter.py: a consumer on a machine without a CUDA device. It refuses host memory.
def version():
    return "1.0"


def from_dlpack(obj):
    raise BufferError("only memory of CUDA devices is supported")


def describe(array):
    raise AssertionError("there is no array")


values = describe
