# SPDX-License-Identifier: Apache-2.0
"""One session with cuda.core and cuda.bindings: kernels by NVRTC, streams, events, buffers, a pool, a graph. Prints its checks."""
import ctypes

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, EventOptions, LaunchConfig, Program, ProgramOptions, launch

SOURCE = """
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
template <typename T> __global__ void fill(T* out, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value + i;
}
"""


def ok(answer):
    result, *values = answer
    assert int(result) == 0, result
    return values[0] if len(values) == 1 else values


def host(buffer, count, kind):
    values = np.empty(count, dtype=kind)
    ok(driver.cuMemcpyDtoH(values.ctypes.data, int(buffer.handle), values.nbytes))
    return values


device = Device()
device.set_current()
stream = device.create_stream()
major, minor = device.compute_capability
program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"compute_{major}{minor}"))
module = program.compile("ptx", name_expressions=("fill<int>", "fill<double>"))
print("kernels compiled by NVRTC")

n = 5000
x, y = np.linspace(0, 1, n, dtype=np.float32), np.arange(n, dtype=np.float32)
buffers = [device.allocate(4 * n, stream=stream) for _ in range(3)]
for buffer, values in zip(buffers, (x, y)):
    ok(driver.cuMemcpyHtoDAsync(int(buffer.handle), values.ctypes.data, values.nbytes, stream.handle))
config = LaunchConfig(grid=(n + 255) // 256, block=256)
start = stream.record(options=EventOptions(timing_enabled=True))
launch(stream, config, module.get_kernel("saxpy"), np.float32(3), buffers[0], buffers[1], buffers[2], np.int32(n))
end = stream.record(options=EventOptions(timing_enabled=True))
end.sync()
assert end - start >= 0
assert np.allclose(host(buffers[2], n, np.float32), 3 * x + y, rtol=1e-6)
print("saxpy right, timed by events")

for name, kind in (("fill<int>", np.int32), ("fill<double>", np.float64)):
    out = device.allocate(n * np.dtype(kind).itemsize, stream=stream)
    launch(stream, config, module.get_kernel(name), out, kind(7), np.int32(n))
    stream.sync()
    assert (host(out, n, kind) == np.arange(n) + 7).all()
    out.close(stream)
print("templates by their names right")

other = device.create_stream()
ready = stream.record()
other.wait(ready)
buffers[0].copy_to(buffers[1], stream=other)
other.sync()
assert (host(buffers[1], n, np.float32) == x).all()
print("a copy on another stream after an event right")

graph = ok(driver.cuGraphCreate(0))
node = driver.CUDA_MEMSET_NODE_PARAMS()
node.dst, node.value, node.elementSize, node.width, node.height, node.pitch = int(buffers[2].handle), 0, 4, n, 1, 4 * n
ok(driver.cuGraphAddMemsetNode(graph, None, 0, node, ok(driver.cuCtxGetCurrent())))
executable = ok(driver.cuGraphInstantiate(graph, 0))
ok(driver.cuGraphLaunch(executable, stream.handle))
stream.sync()
assert not host(buffers[2], n, np.float32).any()
ok(driver.cuGraphExecDestroy(executable))
ok(driver.cuGraphDestroy(graph))
print("a graph right")

name = ok(driver.cuDeviceGetName(64, device.device_id))
assert bytes(name).split(b"\0")[0].decode() == device.name and ctypes.sizeof(ctypes.c_void_p) == 8
for buffer in buffers:
    buffer.close(stream)
stream.sync()
stream.close()
other.close()
del module, program  # the loaded library is given back with its last reference
print("closed")
