# suites/cute/promise.py: computes what the documentation of CuTe DSL promises of a layout, as it writes layouts; and draws layouts.
import math


class Error(Exception):
    """The documentation promises an error."""


def text(shape, strides):
    return "(%s):(%s)" % (",".join(map(str, shape)), ",".join(map(str, strides)))


def marked(divisibility):
    return "?" if divisibility == 1 else "?{div=%d}" % divisibility


def is_compact(shape, strides):
    """Whether the elements lie side by side, in some order of the dimensions longer than 1."""
    step = 1
    for stride, extent in sorted((t, s) for s, t in zip(shape, strides) if s > 1):
        if stride != step:
            return False
        step *= extent
    return True


def dynamic(shape, strides, leading_dim=None):
    """CUTE-03 to CUTE-06."""
    if leading_dim is None:
        if strides.count(1) > 1:
            raise Error("several dimensions have stride 1")
        leading_dim = strides.index(1) if 1 in strides else None
    elif strides[leading_dim] != 1:
        raise Error("the stride of leading_dim is not 1")
    return text(["?"] * len(shape), [1 if axis == leading_dim else stride if stride == 0 else "?" for axis, stride in enumerate(strides)])


class Compact:
    """A tensor that mark_compact_shape_dynamic is called for, once or several times: CUTE-07 to CUTE-10."""

    def __init__(self, shape, strides):
        self.shape, self.strides, self.order, self.divisors = shape, strides, None, {}

    def mark(self, mode, stride_order=None, divisibility=1):
        if not is_compact(self.shape, self.strides):
            raise Error("the tensor is not compact")
        order = self.checked(stride_order)
        if not 0 <= mode < len(self.shape):
            raise Error("mode is out of range")
        if self.shape[mode] % divisibility:
            raise Error("the extent is not divisible")
        self.order, self.divisors[mode] = order, divisibility

    def checked(self, given):
        axes = range(len(self.shape))
        if given is None:
            if self.order is None and self.strides.count(1) > 1:
                raise Error("the order cannot be deduced")
            return self.order or sorted(axes, key=lambda axis: -self.strides[axis])
        if sorted(given) != list(axes):
            raise Error("stride_order is not a permutation of the dimensions")
        long = [self.strides[axis] for axis in given if self.shape[axis] > 1]
        if long != sorted(long, reverse=True) or self.order not in (None, list(given)):
            raise Error("stride_order contradicts the layout, or an earlier one")
        return list(given)

    def layout(self):
        strides, product, is_dynamic = [None] * len(self.shape), 1, False
        for axis in reversed(self.order):  # from the innermost
            divisor = self.divisors.get(axis)
            idle = self.shape[axis] == 1 and divisor is None
            strides[axis] = 0 if idle else marked(product) if is_dynamic else product
            product *= divisor or self.shape[axis]
            is_dynamic = is_dynamic or divisor is not None
        return text([marked(self.divisors[axis]) if axis in self.divisors else extent for axis, extent in enumerate(self.shape)], strides)


def promised(shape, strides, calls):
    """The layout after the calls, pairs of a method and its keywords. Raises Error where one of them is an error."""
    compact, layout = Compact(shape, strides), text(shape, strides)
    for method, keywords in calls:
        if method == "mark_layout_dynamic":
            layout = dynamic(shape, strides, **keywords)
        else:
            compact.mark(**keywords)
            layout = compact.layout()
    return layout


def drawn(random):
    """(rule, shape, strides, calls). The layouts are compact, apart from those that test another promise."""
    rank = random.randint(1, 5)
    shape = [random.randint(2, 5) for _ in range(rank)]
    order = random.sample(range(rank), rank)
    strides = [math.prod(shape[axis] for axis in order[order.index(at) + 1:]) for at in range(rank)]
    kind = random.choice(("dynamic", "compact", "compact", "stepped"))
    if kind == "dynamic":
        strides = [random.choice((stride, stride, 0, 1, 2 * stride)) for stride in strides]
        keywords = random.choice(({}, {"leading_dim": random.choice([*range(rank), order[-1], order[-1]])}))
        leads = keywords and strides[keywords["leading_dim"]] == 1
        rule = ("CUTE-03" if leads else "CUTE-05") if keywords else "CUTE-06" if strides.count(1) > 1 else "CUTE-04"
        return rule, shape, strides, [("mark_layout_dynamic", keywords)]
    mode = random.randrange(rank)
    keywords = {"mode": mode, "divisibility": random.choice([d for d in range(1, shape[mode] + 1) if shape[mode] % d == 0])}
    rule = "CUTE-09"
    if kind == "stepped":  # twice the distance in one dimension, and in what is farther out
        at = random.choice(order)
        strides = [stride * (2 if order.index(axis) <= order.index(at) else 1) for axis, stride in enumerate(strides)]
        rule = "CUTE-08"
    elif random.random() < 0.5:
        wrong = random.random() < 0.5 and rank > 1
        keywords["stride_order"] = tuple(order[1:] + order[:1] if wrong else order)
        rule = "CUTE-10" if wrong else "CUTE-07"
    elif random.random() < 0.3:
        keywords["mode"] = random.choice((rank, rank + 7))
        rule = "CUTE-10"
    elif random.random() < 0.3:
        keywords["divisibility"] = shape[mode] + 1
        rule = "CUTE-10"
    return rule, shape, strides, [("mark_compact_shape_dynamic", keywords)]
