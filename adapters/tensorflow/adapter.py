# adapters/tensorflow/adapter.py: TensorFlow's eager tensors as producer and consumer, on the CPU.
import numpy as np
import tensorflow as tf

TYPES = {name: tf.as_dtype(name) for name in (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128 "
    "float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz").split()}

MOST = 64  # dimensions. TensorFlow shows its memory through NumPy, which has at most 64; it imports up to 254


def version():
    return tf.__version__


from_dlpack = tf.experimental.dlpack.from_dlpack  # accepts only bare capsules


def describe(array):
    memory = array._numpy() if len(array.shape) <= MOST else None  # a NumPy scalar if there are no dimensions
    pointer = memory.ctypes.data if isinstance(memory, np.ndarray) else None
    device = (1, 0) if array.device.endswith("CPU:0") else None
    name = array.dtype.name if array.dtype.name in TYPES else None
    return pointer, tuple(array.shape), None, name, device, None


def values(array):
    return array.numpy().tobytes() if len(array.shape) <= MOST else None


def compute(array):
    if len(array.shape) > MOST:
        raise NotImplementedError("TensorFlow cannot compute with that many dimensions")
    return tf.where(tf.fill(array.shape, True), array, array)


def view(array):
    return tf.identity(array)


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"TensorFlow has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("TensorFlow has no read-only tensors")
    store = np.frombuffer(request.backing, TYPES[request.dtype].as_numpy_dtype)
    steps = tuple(stride * request.itemsize for stride in request.strides)
    laid_out = np.ndarray(request.shape, store.dtype, store, request.offset * request.itemsize, steps)
    if not laid_out.flags.c_contiguous:
        raise NotImplementedError("TensorFlow tensors are always compact")
    if request.making == "view":
        return tf.identity(tf.constant(laid_out))
    return tf.constant(laid_out)
