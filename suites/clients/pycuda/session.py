# SPDX-License-Identifier: Apache-2.0
"""One session with PyCUDA: kernels of PTX and of SourceModule, streams, events, pinned and managed memory, arrays. Prints its checks."""
import numpy as np
import pycuda.cumath as cumath
import pycuda.driver as cuda
import pycuda.gpuarray as gpuarray
from pycuda.compiler import SourceModule, compile
from pycuda.elementwise import ElementwiseKernel
from pycuda.reduction import ReductionKernel
from pycuda.scan import InclusiveScanKernel
from pycuda.tools import DeviceMemoryPool, PageLockedMemoryPool, clear_context_caches

SOURCE = """
__constant__ float factor;
__device__ int launches;
__global__ void scale(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1);
  if (i < n) out[i] = factor * x[i];
}
"""
SHARED = """
__global__ void reversed(int* values) {
  extern __shared__ int kept[];
  kept[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
"""
N = 5000

cuda.init()
device = cuda.Device(0)
context = device.make_context()
assert context.get_device().name() == device.name() and device.total_memory() == cuda.mem_get_info()[1]
numbers = np.random.default_rng(1)
x = numbers.random(N, dtype=np.float32)

# PTX of an older architecture, which the driver takes as it is.
module = cuda.module_from_buffer(compile(SOURCE, arch="compute_80", target="ptx"))
factor, size = module.get_global("factor")
assert size == 4
cuda.memcpy_htod(factor, np.float32(2.5))
launches, _ = module.get_global("launches")
scale, out = module.get_function("scale"), np.empty_like(x)
for _ in range(3):
    scale(cuda.In(x), cuda.Out(out), np.int32(N), block=(256, 1, 1), grid=((N + 255) // 256, 1))
assert (out == np.float32(2.5) * x).all()
count = np.zeros(1, np.int32)
cuda.memcpy_dtoh(count, launches)
assert count[0] == 3
print("a kernel of PTX, a constant and a variable of its module")

mirror = SourceModule(SHARED).get_function("reversed").prepare("P")
assert mirror.num_regs > 0 and mirror.max_threads_per_block >= 256
values = cuda.to_device(np.arange(200, dtype=np.int32))
mirror.prepared_call((1, 1), (200, 1, 1), values, shared_size=800)
assert (cuda.from_device(values, 200, np.int32) == np.arange(200)[::-1]).all()
values.free()
print("a kernel of SourceModule, with shared memory")

streams, events = [cuda.Stream() for _ in range(2)], [cuda.Event() for _ in range(3)]
pinned_in, pinned_out = cuda.pagelocked_empty(N, np.float32), cuda.pagelocked_zeros(N, np.float32)
pinned_in[:] = x
memory = [cuda.mem_alloc(x.nbytes) for _ in range(2)]
events[0].record(streams[0])
cuda.memcpy_htod_async(memory[0], pinned_in, streams[0])
scale(memory[0], memory[1], np.int32(N), block=(256, 1, 1), grid=((N + 255) // 256, 1), stream=streams[0])
events[1].record(streams[0])
streams[1].wait_for_event(events[1])
cuda.memcpy_dtoh_async(pinned_out, memory[1], streams[1])
events[2].record(streams[1])
events[2].synchronize()
assert events[2].query() and events[2].time_since(events[0]) >= 0 and (pinned_out == np.float32(2.5) * x).all()
print("two streams, ordered by an event; pinned memory")

mapped = cuda.pagelocked_empty(4096, np.float32, mem_flags=cuda.host_alloc_flags.DEVICEMAP)
mapped[:] = 1
scale(np.intp(mapped.base.get_device_pointer()), memory[1], np.int32(4096), block=(256, 1, 1), grid=(16, 1))
cuda.memcpy_dtoh(pinned_out[:4096], memory[1])
assert (pinned_out[:4096] == 2.5).all()
managed = cuda.managed_empty(N, np.float32, mem_flags=cuda.mem_attach_flags.GLOBAL)
managed[:] = x
scale(managed.base, memory[1], np.int32(N), block=(256, 1, 1), grid=((N + 255) // 256, 1))
context.synchronize()
cuda.memcpy_dtoh(pinned_out, memory[1])
assert (pinned_out == np.float32(2.5) * x).all()
plane, pitch = cuda.mem_alloc_pitch(100, 7, 4)
copy, picture = cuda.Memcpy2D(), numbers.integers(0, 255, (7, 100), np.uint8)
copy.set_src_host(picture)
copy.set_dst_device(plane)
copy.src_pitch, copy.dst_pitch, copy.width_in_bytes, copy.height = 100, pitch, 100, 7
copy(aligned=False)
back, whole = cuda.Memcpy2D(), np.empty_like(picture)
back.set_src_device(plane)
back.set_dst_host(whole)
back.src_pitch, back.dst_pitch, back.width_in_bytes, back.height = pitch, 100, 100, 7
back(aligned=False)
assert (whole == picture).all()
print("mapped, managed and pitched memory")

a, b = gpuarray.to_gpu(x), gpuarray.to_gpu(numbers.random(N, dtype=np.float32))
hosts = a.get(), b.get()
assert np.allclose((2 * a - b / (a + 1)).get(), 2 * hosts[0] - hosts[1] / (hosts[0] + 1), rtol=1e-6)
assert (a[10:50:3].get() == x[10:50:3]).all() and (gpuarray.if_positive(a > b, a, b).get() == np.maximum(*hosts)).all()
assert np.allclose(gpuarray.dot(a, b).get(), hosts[0] @ hosts[1], rtol=1e-5) and gpuarray.max(a).get() == x.max()
assert np.allclose(cumath.sin(a).get(), np.sin(x), rtol=1e-6) and (gpuarray.arange(100, dtype=np.int32).get() == np.arange(100)).all()
cubes = ElementwiseKernel("float* x, float* out", "out[i] = x[i] * x[i] * x[i]", "cubes")
c = gpuarray.empty_like(a)
cubes(a, c)
assert np.allclose(c.get(), x**3, rtol=1e-6)
norm = ReductionKernel(np.float32, neutral="0", reduce_expr="a + b", map_expr="x[i] * x[i]", arguments="const float* x")
assert np.allclose(norm(a).get(), (x * x).sum(), rtol=1e-5)
running = gpuarray.to_gpu(np.arange(N, dtype=np.int32) % 13)
InclusiveScanKernel(np.int32, "a + b")(running)
assert (running.get() == np.cumsum(np.arange(N) % 13)).all()
print("arrays: arithmetic, slices, functions, own element-wise, reducing and scanning kernels")

pools = DeviceMemoryPool(), PageLockedMemoryPool()
block, page = pools[0].allocate(1000), pools[1].allocate((1000,), np.uint8)
page[:] = 3
cuda.memcpy_htod(block, page)
cuda.memset_d8(int(block), 7, 500)
assert cuda.from_device(int(block), 1000, np.uint8).sum() == 500 * 7 + 500 * 3
block.free()
del page
for pool in pools:
    pool.stop_holding()
print("pools of device and pinned memory")

# Whatever holds memory of the context goes before it does.
del a, b, c, running, hosts, memory, pinned_in, pinned_out, mapped, managed, block, pool, pools, plane, copy, back
del module, scale, mirror, factor, launches, streams, events, cubes, norm, values
clear_context_caches()
context.pop()
del context
print("closed")
