// SPDX-License-Identifier: Apache-2.0
//
// Loads a fatbin of kernels.cu through the driver API, runs the case that is named, and checks the
// result on the host.
//   programs FATBIN CASE      exit status 0: right
#include <cuda.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace {

void Check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "?";
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "%s: %s\n", what, name);
  std::exit(1);
}
#define CHECK(call) Check(call, #call)

void Expect(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

// Device memory that holds a vector.
template <typename T>
class Array {
 public:
  explicit Array(size_t count) : count_(count) { CHECK(cuMemAlloc(&pointer_, count * sizeof(T))); }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    CHECK(cuMemcpyHtoD(pointer_, values.data(), count_ * sizeof(T)));
  }
  ~Array() { cuMemFree(pointer_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  void* argument() { return &pointer_; }
  void Clear() { CHECK(cuMemsetD8(pointer_, 0, count_ * sizeof(T))); }
  std::vector<T> Read() const {
    std::vector<T> values(count_);
    CHECK(cuMemcpyDtoH(values.data(), pointer_, count_ * sizeof(T)));
    return values;
  }

 private:
  CUdeviceptr pointer_ = 0;
  size_t count_;
};

CUmodule module;

CUfunction Kernel(const char* name) {
  CUfunction kernel = nullptr;
  CHECK(cuModuleGetFunction(&kernel, module, name));
  return kernel;
}

struct Shape {
  unsigned x, y;
};

void Launch(const char* name, Shape grid, Shape block, std::vector<void*> arguments) {
  CHECK(cuLaunchKernel(Kernel(name), grid.x, grid.y, 1, block.x, block.y, 1, 0, nullptr,
                       arguments.data(), nullptr));
}

// Whole numbers that look random.
std::vector<int> Numbers(size_t count, int below) {
  std::vector<int> numbers(count);
  uint32_t state = 12345;
  for (int& number : numbers) {
    state = state * 1664525u + 1013904223u;
    number = static_cast<int>((state >> 8) % static_cast<uint32_t>(below));
  }
  return numbers;
}

void VectorAdd() {
  int n = 1000;
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) a[i] = 0.25f * i, b[i] = 1000.0f - i;
  Array<float> da(a), db(b), dsum(n);
  Launch("vector_add", {4, 1}, {256, 1}, {da.argument(), db.argument(), dsum.argument(), &n});
  const std::vector<float> sum = dsum.Read();
  for (int i = 0; i < n; ++i) Expect(sum[i] == a[i] + b[i], "a sum");
}

void Reduction() {
  const std::vector<int> values = Numbers(20011, 100000);
  int n = static_cast<int>(values.size());
  Array<int> in(values);
  Array<long long> out(6);
  Launch("reduce_sum", {6, 1}, {256, 1}, {in.argument(), &n, out.argument()});
  const std::vector<long long> sums = out.Read();
  Expect(std::accumulate(sums.begin(), sums.end(), 0LL) ==
             std::accumulate(values.begin(), values.end(), 0LL),
         "the sum");
}

void Histogram() {
  const std::vector<int> numbers = Numbers(30000, 256);
  const std::vector<unsigned char> data(numbers.begin(), numbers.end());
  int n = static_cast<int>(data.size());
  Array<unsigned char> in(data);
  Array<unsigned> out(256);
  out.Clear();
  Launch("histogram", {5, 1}, {128, 1}, {in.argument(), &n, out.argument()});
  std::vector<unsigned> counts(256);
  for (unsigned char value : data) ++counts[value];
  Expect(out.Read() == counts, "the counts");
}

void MatrixMultiply() {
  int size = 64;
  std::vector<float> a(size * size), b(size * size);
  const std::vector<int> numbers = Numbers(2 * a.size(), 17);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = numbers[i] - 8.0f, b[i] = (numbers[a.size() + i] - 8.0f) / 4.0f;
  Array<float> da(a), db(b), dc(a.size());
  Launch("matrix_multiply", {4, 4}, {16, 16}, {da.argument(), db.argument(), dc.argument(), &size});
  const std::vector<float> product = dc.Read();
  for (int row = 0; row < size; ++row) {
    for (int column = 0; column < size; ++column) {
      float sum = 0;
      for (int k = 0; k < size; ++k) sum = std::fmaf(a[row * size + k], b[k * size + column], sum);
      Expect(product[row * size + column] == sum, "an element of the product");
    }
  }
}

void PrefixSum() {
  const std::vector<int> numbers = Numbers(1000, 1000);
  const std::vector<unsigned> values(numbers.begin(), numbers.end());
  int n = static_cast<int>(values.size());
  Array<unsigned> in(values), out(values.size()), totals(4);
  Launch("prefix_sum", {4, 1}, {256, 1}, {in.argument(), out.argument(), totals.argument(), &n});
  std::vector<unsigned> sums = out.Read();
  const std::vector<unsigned> of_blocks = totals.Read();
  unsigned before = 0;
  for (int block = 0; block < 4; before += of_blocks[block++]) {
    for (int i = 256 * block; i < std::min(n, 256 * (block + 1)); ++i) sums[i] += before;
  }
  std::vector<unsigned> expected(values.size());
  std::partial_sum(values.begin(), values.end(), expected.begin());
  Expect(sums == expected, "the sums");
}

void Mandelbrot() {
  int width = 70, height = 50, most = 200;
  Array<unsigned short> out(width * height);
  Launch("mandelbrot", {5, 7}, {16, 8}, {out.argument(), &width, &height, &most});
  const std::vector<unsigned short> steps = out.Read();
  for (int py = 0; py < height; ++py) {
    for (int px = 0; px < width; ++px) {
      const double cx = -2.0 + 2.75 * px / width, cy = -1.25 + 2.5 * py / height;
      double x = 0, y = 0;
      int step = 0;
      for (; step < most && x * x + y * y <= 4.0; ++step) {
        const double next = x * x - y * y + cx;
        y = 2.0 * x * y + cy;
        x = next;
      }
      Expect(steps[py * width + px] == step, "the steps of a pixel");
    }
  }
}

void BitonicSort() {
  std::vector<int> values = Numbers(1024, 1000000);
  Array<int> data(values);
  for (int run = 2; run <= 1024; run *= 2) {
    for (int distance = run / 2; distance > 0; distance /= 2) {
      Launch("bitonic_step", {4, 1}, {256, 1}, {data.argument(), &distance, &run});
    }
  }
  std::sort(values.begin(), values.end());
  Expect(data.Read() == values, "the order");
}

void Printf() {
  const std::string text = "hello";
  Array<char> name(std::vector<char>(text.c_str(), text.c_str() + text.size() + 1));
  double number = 2.5;
  Launch("say_hello", {2, 1}, {4, 1}, {name.argument(), &number});
  CHECK(cuCtxSynchronize());
}

void Assert() {
  std::vector<int> values(32, 1);
  int limit = 5;
  {
    Array<int> data(values);
    Launch("check_below", {1, 1}, {32, 1}, {data.argument(), &limit});
    CHECK(cuCtxSynchronize());
  }
  values[13] = 9;
  Array<int> data(values);
  Launch("check_below", {1, 1}, {32, 1}, {data.argument(), &limit});
  Expect(cuCtxSynchronize() == CUDA_ERROR_ASSERT, "the error of a failed assertion");
}

void Heap() {
  int length = 20;
  Array<int> out(64);
  Launch("list_on_heap", {1, 1}, {64, 1}, {out.argument(), &length});
  const std::vector<int> sums = out.Read();
  for (int i = 0; i < 64; ++i)
    Expect(sums[i] == (i + 1) * length * (length + 1) / 2, "a list's sum");
}

void CooperativeGroups() {
  const std::vector<int> values = Numbers(5000, 1000);
  int n = static_cast<int>(values.size());
  Array<int> in(values), partial(4 * 64 / 8), out(1);
  void* arguments[] = {in.argument(), &n, partial.argument(), out.argument()};
  CHECK(cuLaunchCooperativeKernel(Kernel("grid_sum"), 4, 1, 1, 64, 1, 1, 0, nullptr, arguments));
  Expect(out.Read()[0] == std::accumulate(values.begin(), values.end(), 0), "the sum");
}

const std::map<std::string, std::function<void()>> kCases = {
    {"vector_add", VectorAdd},
    {"reduction", Reduction},
    {"histogram", Histogram},
    {"matrix_multiply", MatrixMultiply},
    {"prefix_sum", PrefixSum},
    {"mandelbrot", Mandelbrot},
    {"bitonic_sort", BitonicSort},
    {"printf", Printf},
    {"assert", Assert},
    {"malloc", Heap},
    {"cooperative_groups", CooperativeGroups}};

}  // namespace

int main(int argc, char** argv) {
  const auto chosen = argc == 3 ? kCases.find(argv[2]) : kCases.end();
  if (chosen == kCases.end()) {
    for (const auto& [name, body] : kCases) std::printf("%s\n", name.c_str());
    return argc == 1 ? 0 : 2;
  }
  CHECK(cuInit(0));
  CUdevice device = 0;
  CUcontext context = nullptr;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoad(&module, argv[1]));
  chosen->second();
  const CUresult unloaded = cuModuleUnload(module);
  Expect(unloaded == CUDA_SUCCESS || unloaded == CUDA_ERROR_ASSERT, "the unload");
  CHECK(cuCtxSetCurrent(nullptr));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return 0;
}
