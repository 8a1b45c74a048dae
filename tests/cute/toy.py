# tests/cute/toy.py: a library that keeps the promises of suites/cute/, or breaks the one that the variable DEFECT names.
import math
import os

import promise

DEFECT = os.environ.get("DEFECT", "")


class Tensor:
    def __init__(self, array, assumed_align):
        self.shape, self.strides = list(array.shape), [stride // array.itemsize for stride in array.strides]
        self.address, self.align = array.ctypes.data, assumed_align
        self.compact = promise.Compact(self.shape, self.strides)
        self.layout = promise.text(self.shape, self.strides)
        if DEFECT == "CUTE-01":
            self.layout = promise.text(self.shape, [stride if stride else 1 for stride in self.strides[::-1]])

    def __str__(self):
        return f"Tensor<0x{self.address:016x}@generic o {self.layout}>".replace("?{div=4}", "?{i64 div=4}")

    def __c_pointers__(self):
        if self.align and self.address % self.align and DEFECT != "CUTE-02":
            raise RuntimeError("the pointer is not aligned")

    def mark_layout_dynamic(self, leading_dim=None):
        strides = list(self.strides)
        ones = strides.count(1)
        if DEFECT == "CUTE-05" and leading_dim is not None:
            strides[leading_dim] = 1
        if DEFECT == "CUTE-06" and leading_dim is None and ones > 1:
            leading_dim = strides.index(1)
        self.layout = promise.dynamic(self.shape, strides, leading_dim)
        if DEFECT == "CUTE-03" and leading_dim is not None:
            self.layout = self.layout.replace("0", "?").replace("1", "?")
        if DEFECT == "CUTE-04" and leading_dim is None and ones == 1:
            self.layout = self.layout.replace("1", "?")

    def mark_compact_shape_dynamic(self, mode, stride_order=None, divisibility=1):
        compact = self.compact
        if DEFECT == "CUTE-08" and not promise.is_compact(self.shape, self.strides):
            order = sorted(range(len(self.shape)), key=lambda axis: self.strides[axis])
            for at, axis in enumerate(order):
                self.strides[axis] = math.prod(self.shape[inner] for inner in order[:at])
        if DEFECT == "CUTE-09" and stride_order is None and compact.order is None:
            stride_order = tuple(range(len(self.shape)))
        if DEFECT == "CUTE-10":
            mode, stride_order = mode % len(self.shape), None if self.strides.count(1) == 1 else stride_order
            divisibility = math.gcd(divisibility, self.shape[mode])
        compact.mark(mode, stride_order, divisibility)
        self.layout = compact.layout()
        if DEFECT == "CUTE-07" and stride_order is not None:
            self.layout = self.layout.replace("?", "1")


def from_dlpack(array, assumed_align=None):
    return Tensor(array, assumed_align)
