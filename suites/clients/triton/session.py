# SPDX-License-Identifier: Apache-2.0
"""Triton without PyTorch: kernels on arrays of the driver API, checked with numpy. Prints its checks."""
import numpy as np
import triton
import triton.language as tl
from cuda.bindings import driver


def ok(answer):
    result, *values = answer
    assert int(result) == 0, result
    return values[0] if values else None


class Array:
    """Device memory as Triton takes it: an address and the type of its elements."""

    def __init__(self, host):
        self.host, self.dtype = host, {"float32": "fp32", "int32": "i32"}[str(host.dtype)]
        self.memory = ok(driver.cuMemAlloc(host.nbytes))
        ok(driver.cuMemcpyHtoD(self.memory, host.ctypes.data, host.nbytes))

    def data_ptr(self):
        return int(self.memory)

    def read(self):
        values = np.empty_like(self.host)
        ok(driver.cuMemcpyDtoH(values.ctypes.data, self.memory, values.nbytes))
        ok(driver.cuMemFree(self.memory))
        return values


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def softmax(x, out, n, BLOCK: tl.constexpr):
    column = tl.arange(0, BLOCK)
    at, inside = tl.program_id(0) * n + column, column < n
    values = tl.load(x + at, mask=inside, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, 0))
    tl.store(out + at, powers / tl.sum(powers, 0), mask=inside)


@triton.jit
def scan(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), 0))


ok(driver.cuInit(0))
ok(driver.cuCtxSetCurrent(ok(driver.cuDevicePrimaryCtxRetain(0))))
numbers = np.random.default_rng(1)

n = 1000
x, y = numbers.random(n, dtype=np.float32), numbers.random(n, dtype=np.float32)
arrays = [Array(x), Array(y), Array(np.zeros_like(x))]
add[(triton.cdiv(n, 128),)](*arrays, n, BLOCK=128)
assert (arrays[2].read() == x + y).all()
print("vectors added")

x = numbers.random((6, 100), dtype=np.float32)
arrays += [Array(x), Array(np.zeros_like(x))]
softmax[(6,)](arrays[3], arrays[4], 100, BLOCK=128)
powers = np.exp(x - x.max(1, keepdims=True))
assert np.allclose(arrays[4].read(), powers / powers.sum(1, keepdims=True), rtol=1e-5)
print("softmax of rows")

x = np.arange(256, dtype=np.int32) * 7 % 31
arrays += [Array(x), Array(np.zeros_like(x))]
scan[(1,)](arrays[5], arrays[6], BLOCK=256)
assert (arrays[6].read() == np.cumsum(x)).all()
print("running sums")

for kept in (0, 1, 3, 5):
    arrays[kept].read()
ok(driver.cuCtxSetCurrent(0))
ok(driver.cuDevicePrimaryCtxRelease(0))
print("closed")
