# SPDX-License-Identifier: Apache-2.0
"""PyTorch: tensors, streams and events, Triton's kernels on tensors, compiled functions, and where its own kernels stop. Prints its checks."""
import torch
import torch._inductor.config as inductor
import triton
import triton.language as tl
from torch.nn import functional


def stops(what, body, message):
    """Machine code alone: an error that says so, after which the process goes on."""
    try:
        body()
    except RuntimeError as error:
        assert message in str(error), error
        print(f"{what}: {message}")


@triton.jit
def axpy(a, x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(out + at, a * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def product(a, b, out, SIDE: tl.constexpr):
    row = tl.arange(0, SIDE)
    at = row[:, None] * SIDE + row[None, :]
    tl.store(out + at, tl.dot(tl.load(a + at), tl.load(b + at), input_precision="ieee"))


# Choosing among kernels by their times fills memory with PyTorch's own.
inductor.deterministic, inductor.triton.autotune_pointwise = True, False
assert torch.cuda.is_available() and torch.cuda.device_count() >= 1
properties = torch.cuda.get_device_properties(0)
assert properties.name == torch.cuda.get_device_name(0) and torch.cuda.mem_get_info()[1] == properties.total_memory
print("available")

torch.manual_seed(1)
x, y = torch.rand(5000), torch.rand(5000)
on_device = x.cuda()
assert on_device.is_cuda and torch.equal(on_device.cpu(), x)
copy = on_device.clone()
on_device.copy_(y)
assert torch.equal(copy.cpu(), x) and torch.equal(on_device.cpu(), y) and torch.cuda.memory_allocated() >= 40000
print("a tensor to the device, copied there, and back")

stream, start, end = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
pinned, back = x.pin_memory(), torch.empty(5000).pin_memory()
with torch.cuda.stream(stream):
    start.record()
    there = pinned.to("cuda", non_blocking=True)
    back.copy_(there, non_blocking=True)
    end.record()
end.synchronize()
assert torch.equal(back, x) and end.query() and start.elapsed_time(end) >= 0
del start, end
print("pinned memory, a stream and its events")

dx, dy, out = x.cuda(), y.cuda(), torch.empty(5000, device="cuda")
axpy[(triton.cdiv(5000, 256),)](2.0, dx, dy, out, 5000, BLOCK=256)
assert torch.allclose(out.cpu(), 2 * x + y)
a, b = torch.rand(64, 64), torch.rand(64, 64)
da, db, out = a.cuda(), b.cuda(), torch.empty(64, 64, device="cuda")
product[(1,)](da, db, out, SIDE=64)
assert torch.allclose(out.cpu(), a @ b, rtol=1e-4)
print("kernels of Triton on tensors")


def rows(x, y):
    return functional.softmax(torch.relu(x - y).reshape(50, 100), 1) * 2 + 1


def sums(x):
    return x.sum(), x.max(), x.cumsum(0)


assert torch.allclose(torch.compile(rows)(dx, dy).cpu(), rows(x, y))
for found, wanted in zip(torch.compile(sums)(dx), sums(x)):
    assert torch.allclose(found.cpu(), wanted)
assert torch.equal(torch.compile(lambda x: x.half())(dx).cpu(), x.half())
print("compiled functions: softmax of rows, sums, types")

# It is rearranged by way of shared memory, with ldmatrix or stmatrix.
half = a.half()
assert torch.equal(torch.compile(lambda x: x.t() + x)(half.cuda()).cpu(), half.t() + half)
print("a compiled transpose")


def loss(weights, x):
    return ((weights * x).tanh() ** 2).mean()


weights, copies = torch.rand(100).requires_grad_(), torch.empty(100)
copies.copy_(weights.detach())
copies = copies.cuda().requires_grad_()
loss(weights, x[:100]).backward()
torch.compile(loss)(copies, dx[:100]).backward(torch.ones(()).cuda())
assert torch.allclose(copies.grad.cpu(), weights.grad)
print("a gradient through a compiled function")

stops("PyTorch's own kernels", lambda: dx + 1, "no kernel image is available for execution on the device")
stops("cuBLAS", lambda: da @ db, "CUBLAS_STATUS_NOT_INITIALIZED")
assert torch.equal(dx.cpu(), x)
print("closed")
