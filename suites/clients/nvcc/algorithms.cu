// SPDX-License-Identifier: Apache-2.0
//
// Algorithms of thrust and CUB over the whole device, by the toolkit's headers, checked against the standard library's.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <functional>
#include <numeric>
#include <vector>

namespace {

void Check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void Report(const char* what, bool right) {
  if (!right) {
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
  }
  std::printf("%s\n", what);
}

std::vector<int> Numbers(size_t count, int below) {
  std::vector<int> numbers(count);
  uint32_t state = 2463534242u;
  for (int& number : numbers) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    number = static_cast<int>(state % static_cast<uint32_t>(below));
  }
  return numbers;
}

template <typename T>
std::vector<T> Host(const thrust::device_vector<T>& values) {
  std::vector<T> host(values.size());
  thrust::copy(values.begin(), values.end(), host.begin());
  return host;
}

// CUB's two steps: how much it needs, then the work.
template <typename Call>
void WithStorage(const char* what, Call call) {
  size_t bytes = 0;
  Check(call(nullptr, bytes), what);
  thrust::device_vector<char> storage(bytes);
  Check(call(thrust::raw_pointer_cast(storage.data()), bytes), what);
  Check(cudaDeviceSynchronize(), what);
}

void Thrust(const std::vector<int>& numbers) {
  thrust::device_vector<int> values(numbers.begin(), numbers.end());
  Report("thrust::reduce", thrust::reduce(values.begin(), values.end(), 0LL) ==
                               std::accumulate(numbers.begin(), numbers.end(), 0LL));
  thrust::device_vector<int> sums(values.size());
  thrust::inclusive_scan(values.begin(), values.end(), sums.begin());
  std::vector<int> expected(numbers.size());
  std::partial_sum(numbers.begin(), numbers.end(), expected.begin());
  Report("thrust::inclusive_scan", Host(sums) == expected);

  thrust::sort(values.begin(), values.end());
  std::vector<int> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  Report("thrust::sort", Host(values) == sorted);
  thrust::sort(values.begin(), values.end(), thrust::greater<int>());
  std::reverse(sorted.begin(), sorted.end());
  Report("thrust::sort, downwards", Host(values) == sorted);
  const auto end = thrust::unique(values.begin(), values.end());
  const auto left = std::unique(sorted.begin(), sorted.end()) - sorted.begin();
  Report("thrust::unique", end - values.begin() == left);
}

void Cub(const std::vector<int>& numbers) {
  const int n = static_cast<int>(numbers.size());
  thrust::device_vector<int> keys(numbers.begin(), numbers.end()), sorted(n);
  std::vector<float> payload(n);
  std::iota(payload.begin(), payload.end(), 0.0f);
  thrust::device_vector<float> in(payload.begin(), payload.end()), out(n);
  WithStorage("cub::DeviceRadixSort::SortPairs", [&](void* storage, size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, thrust::raw_pointer_cast(keys.data()),
                                           thrust::raw_pointer_cast(sorted.data()),
                                           thrust::raw_pointer_cast(in.data()),
                                           thrust::raw_pointer_cast(out.data()), n);
  });
  std::vector<float> order = payload;
  std::stable_sort(order.begin(), order.end(), [&](float a, float b) {
    return numbers[static_cast<int>(a)] < numbers[static_cast<int>(b)];
  });
  Report("cub::DeviceRadixSort::SortPairs", Host(out) == order);

  thrust::device_vector<int> sums(n), largest(1);
  WithStorage("cub::DeviceScan::ExclusiveSum", [&](void* storage, size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, thrust::raw_pointer_cast(keys.data()),
                                         thrust::raw_pointer_cast(sums.data()), n);
  });
  std::vector<int> expected(n);
  std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 0);
  Report("cub::DeviceScan::ExclusiveSum", Host(sums) == expected);
  WithStorage("cub::DeviceReduce::Max", [&](void* storage, size_t& bytes) {
    return cub::DeviceReduce::Max(storage, bytes, thrust::raw_pointer_cast(keys.data()),
                                  thrust::raw_pointer_cast(largest.data()), n);
  });
  Report("cub::DeviceReduce::Max",
         largest[0] == *std::max_element(numbers.begin(), numbers.end()));
}

}  // namespace

int main() {
  const std::vector<int> numbers = Numbers(20011, 5000);
  Thrust(numbers);
  Cub(numbers);
  return 0;
}
