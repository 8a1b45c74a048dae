# adapters/torch-cuda/adapter.py: PyTorch as producer and consumer, on a CUDA device; the rest is as on the CPU.
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "helpers"))
import strided  # noqa: E402
import torch  # noqa: E402

_cpu = strided.adapter_of("torch")
version, lacks, from_dlpack, describe = _cpu.version, _cpu.lacks, _cpu.from_dlpack, _cpu.describe
compute, view, change_metadata = _cpu.compute, _cpu.view, _cpu.change_metadata

torch.cuda.set_stream(torch.cuda.Stream())


def values(array):
    return None if array.is_cuda else _cpu.values(array)


def write(array, index, bits):
    _cpu.write(array, index, bits)


def make(request):
    tensor = _cpu.arranged(request, _cpu.store_of(request).cuda())
    # Otherwise the copy to the device may be pending, which a copy on another stream does not wait for.
    torch.cuda.current_stream().synchronize()
    return tensor


def stream(array):
    return torch.cuda.current_stream(array.device).cuda_stream if array.is_cuda else None


def fetch(array):
    """PyTorch's own kernel reads the elements: an addition, or a copy for types without one."""
    try:
        read = array + 0
        if read.dtype != array.dtype:
            raise NotImplementedError
    except (RuntimeError, NotImplementedError):
        read = array.clone(memory_format=torch.contiguous_format)
    return _cpu.values(read.cpu())
