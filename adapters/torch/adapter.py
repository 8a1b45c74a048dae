# adapters/torch/adapter.py: PyTorch as producer and consumer, on the CPU.
import ctypes
import inspect

import torch

torch.set_num_threads(1)
NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex32 complex64 "
         "complex128 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2").split()
TYPES = {name: getattr(torch, name) for name in NAMES if hasattr(torch, name)}  # some are newer than 2.0
NAME_OF = {dtype: name for name, dtype in TYPES.items()}
DEVICES = {"cpu": 1, "cuda": 2}
KINDS = {number: kind for kind, number in DEVICES.items()}


def version():
    return torch.__version__


def lacks():
    keywords = inspect.signature(torch.from_dlpack).parameters
    claims = {"copy_keyword": "copy" in keywords, "device_keyword": "device" in keywords,
              "exchange_api": hasattr(torch.Tensor, "__dlpack_c_exchange_api__")}
    return [claim for claim, kept in claims.items() if not kept]


def from_dlpack(obj, **keywords):
    if keywords.get("device") is not None:
        kind, number = keywords["device"]
        keywords["device"] = torch.device(KINDS[kind], number)
    return torch.from_dlpack(obj, **keywords)


def describe(array):
    size = array.element_size()
    strides = tuple(stride * size for stride in array.stride())
    device = array.device
    kind = DEVICES.get(device.type)
    return (array.data_ptr(), array.shape, strides, NAME_OF.get(array.dtype),
            (kind, device.index or 0) if kind else None, None)


def values(array):
    flat = array.detach().resolve_conj().resolve_neg().contiguous().cpu()
    return ctypes.string_at(flat.data_ptr(), flat.numel() * flat.element_size()) if flat.numel() else b""


def write(array, index, bits):
    element = torch.frombuffer(bytearray(bits), dtype=torch.uint8).view(array.dtype)[0]
    place = []
    for extent in reversed(array.shape):
        place.append(index % extent)
        index //= extent
    array[tuple(reversed(place))] = element


def compute(array):
    return array.clone(memory_format=torch.contiguous_format)


def view(array):
    return array.view_as(array)


def change_metadata(array, how):
    if how == "reshape":
        array.unsqueeze_(0)
    elif how == "transpose":
        array.transpose_(0, array.dim() - 1)
    else:
        array.resize_(array.numel() + 1)


def store_of(request):
    """The backing store of a request as a flat tensor."""
    if request.dtype not in TYPES:
        raise NotImplementedError(f"PyTorch has no {request.dtype}")
    if request.read_only:
        raise NotImplementedError("PyTorch has no read-only tensors")
    if any(stride < 0 for stride in request.strides):
        raise NotImplementedError("PyTorch has no negative strides")
    raw = torch.frombuffer(bytearray(request.backing), dtype=torch.uint8) if request.backing else torch.empty(0).byte()
    return raw.view(TYPES[request.dtype])


def arranged(request, store):
    """The requested tensor over that store."""
    tensor = torch.as_strided(store, request.shape, request.strides, request.offset)
    if request.making == "fresh" and tensor.is_contiguous():
        tensor = tensor.clone()
    return tensor if request.oddity == "none" else odd(request, tensor)


def make(request):
    return arranged(request, store_of(request))


def odd(request, tensor):
    if request.oddity in ("conjugate", "negated") and tensor.dtype not in (torch.complex64, torch.complex128):
        raise NotImplementedError("only complex tensors can be lazily conjugated or negated")
    if request.oddity == "conjugate":
        return torch.conj(torch.conj_physical(tensor))  # the same values, with the conjugate bit set
    if request.oddity == "negated":
        return torch._neg_view(torch.neg(tensor))  # the same values, with the negative bit set
    if request.oddity == "zeros":
        return torch._efficientzerotensor(request.shape, dtype=tensor.dtype)  # as in automatic differentiation
    if request.oddity == "sparse":
        return tensor.to_sparse()
    if request.oddity == "requires_grad":
        if not tensor.is_floating_point():
            raise NotImplementedError("only floating-point tensors can require gradients")
        return tensor.detach().requires_grad_()
    if request.oddity == "meta":
        return tensor.to("meta")
    if request.oddity == "quantized" and tensor.dtype == torch.float32:
        return torch.quantize_per_tensor(tensor, 0.5, 0, torch.qint8)
    if request.oddity == "subclass":
        return torch.nn.Parameter(tensor, requires_grad=False)
    raise NotImplementedError(f"PyTorch has no {request.oddity} tensors")
