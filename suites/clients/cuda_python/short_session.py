# SPDX-License-Identifier: Apache-2.0
"""The shortest useful session with cuda.core, for a sweep: a kernel of PTX doubles numbers, and they are copied back."""
import ctypes

from cuda.core import Device, EventOptions, LaunchConfig, Program, launch

DOUBLE = """
.version 7.5
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 numbers)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [numbers];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.s64 %rd2, %rd0, %rd1;
  ld.global.u32 %r1, [%rd2];
  add.u32 %r1, %r1, %r1;
  st.global.u32 [%rd2], %r1;
  ret;
}
"""
COUNT = 16

device = Device()
device.set_current()
stream = device.create_stream()
kernel = Program(DOUBLE, code_type="ptx").compile("cubin").get_kernel("twice")
pinned = (ctypes.c_uint32 * COUNT)(*range(COUNT))
numbers = device.allocate(ctypes.sizeof(pinned), stream=stream)
try:
    from cuda.bindings import driver
    done = stream.record(options=EventOptions(timing_enabled=False))
    result, = driver.cuMemcpyHtoDAsync(int(numbers.handle), ctypes.addressof(pinned), ctypes.sizeof(pinned), stream.handle)
    assert int(result) == 0, result
    launch(stream, LaunchConfig(grid=1, block=COUNT), kernel, numbers)
    result, = driver.cuMemcpyDtoHAsync(ctypes.addressof(pinned), int(numbers.handle), ctypes.sizeof(pinned), stream.handle)
    assert int(result) == 0, result
    stream.sync()
    done.sync()
    print(list(pinned))
finally:
    numbers.close(stream)
    stream.close()
