#include "hw/core/reduce.h"

#include "hw/core/error.h"
#include "hw/core/reduce_kernels.h"

namespace fredsim::hw {
namespace {

const ReduceKernels& best_kernels() {
  const ReduceKernels* avx2 = avx2_reduce_kernels();
  return avx2 != nullptr ? *avx2 : generic_reduce_kernels();
}

const ReduceKernels*& kernels() {
  static const ReduceKernels* chosen = &best_kernels();
  return chosen;
}

std::size_t index(DType dtype) {
  return static_cast<std::size_t>(dtype);
}
std::size_t index(ReduceOp op) {
  return static_cast<std::size_t>(op);
}

std::size_t float_index(DType dtype) {
  if (dtype == DType::int32) throw InternalError("INT32 elements have no FP32 accumulator");
  return index(dtype);
}

const std::byte* bytes(const void* p) {
  return static_cast<const std::byte*>(p);
}
std::byte* bytes(void* p) {
  return static_cast<std::byte*>(p);
}

}  // namespace

void reduce(DType dtype, ReduceOp op, const void* a, const void* b, void* out, std::size_t count) {
  kernels()->reduce[index(dtype)][index(op)](bytes(a), bytes(b), bytes(out), count);
}

void accumulate_fp32(DType dtype, ReduceOp op, float* acc, const void* in, std::size_t count) {
  kernels()->accumulate[float_index(dtype)][index(op)](bytes(acc), bytes(in), bytes(acc), count);
}

void widen_to_fp32(DType dtype, const void* in, float* out, std::size_t count) {
  kernels()->widen[float_index(dtype)](bytes(in), bytes(out), count);
}

void round_from_fp32(DType dtype, const float* in, void* out, std::size_t count) {
  kernels()->round[float_index(dtype)](bytes(in), bytes(out), count);
}

const char* reduce_kernel_name() {
  return kernels()->name;
}

void force_generic_reduce(bool generic) {
  kernels() = generic ? &generic_reduce_kernels() : &best_kernels();
}

}  // namespace fredsim::hw
