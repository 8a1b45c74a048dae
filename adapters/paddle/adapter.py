# adapters/paddle/adapter.py: PaddlePaddle as producer and consumer, on the CPU. Before 3.0 its functions exchange bare capsules.
import inspect

import numpy as np
import paddle
import paddle.utils.dlpack

NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128 "
         "float8_e4m3fn float8_e5m2").split()
# paddle.uint16 is another name for bfloat16.
TYPES = {name: getattr(paddle, name) for name in NAMES if name != "uint16" and hasattr(paddle, name)}
NAME_OF = {dtype: name for name, dtype in TYPES.items()}


def version():
    return paddle.__version__


from_dlpack = paddle.utils.dlpack.from_dlpack


def lacks():
    keywords = inspect.signature(from_dlpack).parameters
    fulfilled = {"copy_keyword": "copy" in keywords, "device_keyword": "device" in keywords,
                 "exchange_api": hasattr(paddle.Tensor, "__dlpack_c_exchange_api__"),
                 "resize_in_place": hasattr(paddle.Tensor, "resize_")}
    return [claim for claim, holds in fulfilled.items() if not holds]


def export(array, **keywords):
    if hasattr(array, "__dlpack__"):
        return array.__dlpack__(**keywords)
    return paddle.utils.dlpack.to_dlpack(array, **keywords)


def device(array):
    return array.__dlpack_device__() if hasattr(array, "__dlpack_device__") else (1, 0)


def describe(array):
    if array.is_sparse():
        return None, tuple(array.shape), None, NAME_OF.get(array.dtype), None, None
    size = array.element_size()
    strides = tuple(stride * size for stride in array.strides)
    device = (1, 0) if array.place.is_cpu_place() else None
    return array.data_ptr(), tuple(array.shape), strides, NAME_OF.get(array.dtype), device, None


def values(array):
    if array.is_sparse():
        return None
    return array.detach().numpy().tobytes()  # bfloat16 as uint16, float8 as int8


def write(array, index, bits):
    element = paddle.to_tensor(np.frombuffer(bits, np.uint8)).view(array.dtype)[0]
    array[tuple(int(place) for place in np.unravel_index(index, array.shape))] = element


def compute(array):
    return paddle.assign(array)


def view(array):
    return array.detach()


def change_metadata(array, how):
    if how == "reshape":
        array.unsqueeze_(0)
    elif how == "transpose":
        array.transpose_(list(reversed(range(array.ndim))))
    else:
        array.resize_([array.size + 1], fill_zero=True)


def make(request):
    if request.dtype not in TYPES:
        raise NotImplementedError(f"PaddlePaddle has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("PaddlePaddle has no read-only tensors")
    if any(stride < 0 for stride in request.strides):
        raise NotImplementedError("PaddlePaddle has no negative strides")
    store = paddle.to_tensor(np.frombuffer(bytearray(request.backing), np.uint8)).view(TYPES[request.dtype])
    tensor = paddle.as_strided(store, request.shape, request.strides, request.offset * request.itemsize)
    if request.making == "fresh" and tensor.is_contiguous():
        tensor = tensor.clone()
    return tensor if request.oddity == "none" else odd(request.oddity, tensor)


def odd(oddity, tensor):
    if oddity == "sparse" and tensor.ndim:
        return tensor.to_sparse_coo(tensor.ndim)
    if oddity == "requires_grad" and tensor.is_floating_point():
        tensor.stop_gradient = False
        return tensor
    raise NotImplementedError(f"PaddlePaddle has no {oddity} tensors of {tensor.dtype}")
