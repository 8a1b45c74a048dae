# adapters/onnxruntime/adapter.py: ONNX Runtime's OrtValue as producer and consumer, on the CPU.
import ctypes

import numpy as np
import onnxruntime
from onnxruntime import OrtValue

ONNX = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10,
        "float64": 11, "uint32": 12, "uint64": 13, "bfloat16": 16, "float8_e4m3fn": 17, "float8_e4m3fnuz": 18,
        "float8_e5m2": 19, "float8_e5m2fnuz": 20, "float8_e8m0fnu": 24}
NAMES = {number: name for name, number in ONNX.items()}


def version():
    return onnxruntime.__version__


def lacks():
    # Before, the functions were in the training package, and only on the inner object.
    return [] if hasattr(OrtValue, "from_dlpack") else ["consumer", "producer"]


def from_dlpack(obj, **keywords):
    return OrtValue.from_dlpack(obj, **keywords)


def describe(array):
    device = (1, 0) if array.device_name() == "cpu" else None
    return array.data_ptr(), tuple(array.shape()), None, NAMES.get(array.element_type()), device, None


def values(array):  # an OrtValue is always compact; numpy() does not support bfloat16 and float8
    return ctypes.string_at(array.data_ptr(), array.tensor_size_in_bytes()) if array.tensor_size_in_bytes() else b""


def write(array, index, bits):
    data = array.numpy().copy()
    data.reshape(-1)[index] = np.frombuffer(bits, data.dtype)[0]
    array.update_inplace(data)


def compute(array):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(identity(array.element_type()), options, ["CPUExecutionProvider"])
    return session.run_with_ort_values(["y"], {"x": array})[0]


def identity(element):
    """The ONNX model y = Identity(x), a ModelProto. It is written by hand, so that the onnx package is not needed."""
    def field(number, content):  # content of at most 127 bytes
        return bytes([number << 3 | 2, len(content)]) + content
    node = field(1, b"x") + field(2, b"y") + field(4, b"Identity")
    of_type = field(2, field(1, bytes([1 << 3, element])))
    graph = field(1, node) + field(2, b"g") + field(11, field(1, b"x") + of_type) + field(12, field(1, b"y") + of_type)
    return bytes([1 << 3, 10]) + field(7, graph) + field(8, bytes([2 << 3, 21]))  # IR version 10, opset 21


def make(request):
    if request.dtype not in ONNX:
        raise NotImplementedError(f"ONNX Runtime has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("ONNX Runtime has no read-only values")
    bits = np.frombuffer(bytearray(request.backing), f"u{request.itemsize}")
    steps = tuple(stride * request.itemsize for stride in request.strides)
    laid_out = np.ndarray(request.shape, bits.dtype, bits, request.offset * request.itemsize, steps)
    if not laid_out.flags.c_contiguous:
        raise NotImplementedError("OrtValues are always compact")
    if request.making == "view":
        raise NotImplementedError("OrtValues cannot be views")
    value = OrtValue.ortvalue_from_shape_and_type(request.shape, ONNX[request.dtype])
    value.update_inplace(laid_out)
    return value
