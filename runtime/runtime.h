// SPDX-License-Identifier: Apache-2.0
//
// A libcudart.so.13 of the project's own: the CUDA runtime API over the public driver API, and
// nothing else. Programs built with `nvcc -cudart shared` run on the fake driver with it; NVIDIA's
// runtime asks for private tables that only NVIDIA's driver has.
//
// The numbers of cudaError_t and CUresult, of attributes, limits and flags are the same by NVIDIA's
// design, and so are the types behind streams, events, graphs, kernels and pools: they are handed
// on as they are.
#ifndef CULPRIT_RUNTIME_RUNTIME_H_
#define CULPRIT_RUNTIME_RUNTIME_H_

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace culprit::runtime {

// The device that the calling thread has chosen; 0 until it did.
int CurrentDevice();

// Initialises the driver once in the process. Not kept for cudaGetLastError.
cudaError_t StartDriver();

// As above, and makes the primary context of the thread's device current if the thread has no
// context.
cudaError_t StartContext();

// Makes the device's primary context current, whatever is current.
cudaError_t UseDevice(int device);

// Initialises the device's primary context, and neither makes it current nor chooses the device.
cudaError_t InitialiseDevice(int device);

// Gives up what the process holds of the device's primary context; what could not be released stays
// held. With no device, of all, when the process ends and nobody is left to be told.
cudaError_t ReleaseDevice(int device);
void ReleaseDevices();

// Keeps whatever is not success for cudaGetLastError of this thread. NotReady, too: PyTorch, for
// one, fetches it after a query to be rid of it.
cudaError_t Keep(cudaError_t error);
inline cudaError_t Keep(CUresult result) { return Keep(static_cast<cudaError_t>(result)); }

// An entry that needs a context: starts what is needed, calls, keeps a failure.
template <typename Body>
cudaError_t InContext(Body body) {
  if (const cudaError_t error = StartContext(); error != cudaSuccess) return Keep(error);
  return Keep(body());
}

// An entry that needs only the driver.
template <typename Body>
cudaError_t InDriver(Body body) {
  if (const cudaError_t error = StartDriver(); error != cudaSuccess) return Keep(error);
  return Keep(body());
}

inline CUdeviceptr Address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

// The kernel behind the host function that nvcc's stubs register, or behind a handle of
// cudaGetKernel. Loads its code. Errors: InvalidDeviceFunction for an unknown one; what loading
// answers.
cudaError_t FindKernel(const void* function, CUkernel* kernel);

// The same as a function of the current context.
cudaError_t FindFunction(const void* function, CUfunction* found);

// Address and size in bytes of a __device__ or __constant__ variable, by the host variable that
// stands for it. Errors: InvalidSymbol for an unknown one.
cudaError_t FindVariable(const void* symbol, CUdeviceptr* address, size_t* bytes);

}  // namespace culprit::runtime

#endif  // CULPRIT_RUNTIME_RUNTIME_H_
