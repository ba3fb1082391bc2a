#include "hw/core/reduce_kernels.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>

#include <cstdint>

// The functions carry the instruction sets as attributes, so that the rest of the program runs on any x86-64.
// Helpers must be inlined: passing vectors through calls is another ABI with than without AVX.
#define FREDSIM_AVX2 __attribute__((target("avx2,f16c")))
#define FREDSIM_AVX2_INLINE __attribute__((target("avx2,f16c"), always_inline)) inline

namespace fredsim::hw {
namespace {

constexpr std::size_t lanes = 8;  // FP32 or INT32 in a vector

FREDSIM_AVX2_INLINE __m256i load_256(const std::byte* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
FREDSIM_AVX2_INLINE __m128i load_128(const std::byte* p) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
FREDSIM_AVX2_INLINE void store_256(std::byte* p, __m256i v) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v);
}
FREDSIM_AVX2_INLINE void store_128(std::byte* p, __m128i v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v);
}

/// NaNs to the one quiet NaN.
FREDSIM_AVX2_INLINE __m256 canonical(__m256 v) {
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
  return _mm256_blendv_ps(v, nan, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
}

/// A format says how eight elements widen to FP32, and how FP32 without NaNs other than the quiet one is
/// rounded to eight elements.
struct Fp16 {
  static constexpr DType dtype = DType::fp16;
  static constexpr std::int16_t infinity = 0x7c00, nan = 0x7e00;
  FREDSIM_AVX2_INLINE static __m256 load(const std::byte* p) { return _mm256_cvtph_ps(load_128(p)); }
  FREDSIM_AVX2_INLINE static void store(std::byte* p, __m256 v) {
    store_128(p, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
  }
};

struct Bf16 {
  static constexpr DType dtype = DType::bf16;
  static constexpr std::int16_t infinity = 0x7f80, nan = 0x7fc0;
  FREDSIM_AVX2_INLINE static __m256 load(const std::byte* p) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_128(p)), 16));
  }
  FREDSIM_AVX2_INLINE static void store(std::byte* p, __m256 v) {
    const __m256i bits = _mm256_castps_si256(v);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i half = _mm256_add_epi32(_mm256_set1_epi32(0x7fff), odd);
    const __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, half), 16);
    store_128(p, _mm_packus_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1)));
  }
};

struct Fp32 {
  static constexpr DType dtype = DType::fp32;
  FREDSIM_AVX2_INLINE static __m256 load(const std::byte* p) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(p));
  }
  FREDSIM_AVX2_INLINE static void store(std::byte* p, __m256 v) {
    _mm256_storeu_ps(reinterpret_cast<float*>(p), v);
  }
};

template <class F>
constexpr std::size_t size = size_of(F::dtype);

/// The generic loop for what does not fill a vector: of A and B, the first is the result's format.
template <class A, class B>
ReduceKernels::Binary generic(ReduceOp op) {
  const auto& table =
      size<A> == size<B> ? generic_reduce_kernels().reduce : generic_reduce_kernels().accumulate;
  return table[static_cast<std::size_t>(B::dtype)][static_cast<std::size_t>(op)];
}

// The last elements, too few for a vector of their own, are done in a vector that overlaps the one before:
// computed before anything is written, since `out` may be `a` or `b`, and written last.

template <class A, class B>
FREDSIM_AVX2_INLINE __m256 add(const std::byte* a, const std::byte* b, std::size_t i) {
  return _mm256_add_ps(A::load(a + i * size<A>), B::load(b + i * size<B>));
}

template <class A, class B>
FREDSIM_AVX2 void sum(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count) {
  if (count < lanes) return generic<A, B>(ReduceOp::sum)(a, b, out, count);
  const __m256 last = canonical(add<A, B>(a, b, count - lanes));
  std::size_t i = 0;
  // NaNs are rare: looking for them in four vectors at once halves the time.
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    __m256 s0 = add<A, B>(a, b, i), s1 = add<A, B>(a, b, i + lanes);
    __m256 s2 = add<A, B>(a, b, i + 2 * lanes), s3 = add<A, B>(a, b, i + 3 * lanes);
    const __m256 nans =
        _mm256_or_ps(_mm256_cmp_ps(s0, s1, _CMP_UNORD_Q), _mm256_cmp_ps(s2, s3, _CMP_UNORD_Q));
    if (_mm256_movemask_ps(nans) != 0) {
      s0 = canonical(s0);
      s1 = canonical(s1);
      s2 = canonical(s2);
      s3 = canonical(s3);
    }
    A::store(out + i * size<A>, s0);
    A::store(out + (i + lanes) * size<A>, s1);
    A::store(out + (i + 2 * lanes) * size<A>, s2);
    A::store(out + (i + 3 * lanes) * size<A>, s3);
  }
  for (; i + lanes <= count; i += lanes) A::store(out + i * size<A>, canonical(add<A, B>(a, b, i)));
  A::store(out + (count - lanes) * size<A>, last);
}

// Minima and maxima compare integers that order as the numbers do, -0 below +0: negative numbers with their
// magnitude bits inverted.

FREDSIM_AVX2_INLINE __m256i ordered_16(__m256i v) {
  return _mm256_xor_si256(v, _mm256_srli_epi16(_mm256_srai_epi16(v, 15), 1));
}

template <class F, bool is_min>
FREDSIM_AVX2_INLINE __m256i extreme_16(const std::byte* a, const std::byte* b, std::size_t i) {
  const __m256i x = load_256(a + i * 2), y = load_256(b + i * 2);
  const __m256i kx = ordered_16(x), ky = ordered_16(y);
  const __m256i chosen = ordered_16(is_min ? _mm256_min_epi16(kx, ky) : _mm256_max_epi16(kx, ky));
  const __m256i magnitude = _mm256_set1_epi16(0x7fff);
  const __m256i larger = _mm256_max_epi16(_mm256_and_si256(x, magnitude), _mm256_and_si256(y, magnitude));
  const __m256i nans = _mm256_cmpgt_epi16(larger, _mm256_set1_epi16(F::infinity));
  return _mm256_blendv_epi8(chosen, _mm256_set1_epi16(F::nan), nans);
}

template <class F, bool is_min>
FREDSIM_AVX2 void extreme_of_16_bits(const std::byte* a, const std::byte* b, std::byte* out,
                                     std::size_t count) {
  constexpr std::size_t width = 2 * lanes;
  if (count < width) return generic<F, F>(is_min ? ReduceOp::min : ReduceOp::max)(a, b, out, count);
  const __m256i last = extreme_16<F, is_min>(a, b, count - width);
  for (std::size_t i = 0; i + width <= count; i += width)
    store_256(out + i * 2, extreme_16<F, is_min>(a, b, i));
  store_256(out + (count - width) * 2, last);
}

FREDSIM_AVX2_INLINE __m256i ordered_32(__m256i v) {
  return _mm256_xor_si256(v, _mm256_srli_epi32(_mm256_srai_epi32(v, 31), 1));
}

/// FP32 with elements of B.
template <class B, bool is_min>
FREDSIM_AVX2_INLINE __m256i extreme_32(const std::byte* a, const std::byte* b, std::size_t i) {
  const __m256 x = Fp32::load(a + i * size<Fp32>), y = B::load(b + i * size<B>);
  const __m256i kx = ordered_32(_mm256_castps_si256(x)), ky = ordered_32(_mm256_castps_si256(y));
  const __m256i chosen = ordered_32(is_min ? _mm256_min_epi32(kx, ky) : _mm256_max_epi32(kx, ky));
  const __m256i nans = _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_UNORD_Q));
  return _mm256_blendv_epi8(chosen, _mm256_set1_epi32(0x7fc00000), nans);
}

template <class B, bool is_min>
FREDSIM_AVX2 void extreme_of_fp32(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count) {
  if (count < lanes) return generic<Fp32, B>(is_min ? ReduceOp::min : ReduceOp::max)(a, b, out, count);
  const __m256i last = extreme_32<B, is_min>(a, b, count - lanes);
  for (std::size_t i = 0; i + lanes <= count; i += lanes)
    store_256(out + i * 4, extreme_32<B, is_min>(a, b, i));
  store_256(out + (count - lanes) * 4, last);
}

template <ReduceOp op>
FREDSIM_AVX2_INLINE __m256i integer_32(const std::byte* a, const std::byte* b, std::size_t i) {
  const __m256i x = load_256(a + i * 4), y = load_256(b + i * 4);
  if (op == ReduceOp::sum) return _mm256_add_epi32(x, y);
  return op == ReduceOp::min ? _mm256_min_epi32(x, y) : _mm256_max_epi32(x, y);
}

template <ReduceOp op>
FREDSIM_AVX2 void integer(const std::byte* a, const std::byte* b, std::byte* out, std::size_t count) {
  if (count < lanes) {
    const auto& table = generic_reduce_kernels().reduce[static_cast<std::size_t>(DType::int32)];
    return table[static_cast<std::size_t>(op)](a, b, out, count);
  }
  const __m256i last = integer_32<op>(a, b, count - lanes);
  for (std::size_t i = 0; i + lanes <= count; i += lanes) store_256(out + i * 4, integer_32<op>(a, b, i));
  store_256(out + (count - lanes) * 4, last);
}

/// One of In and Out is FP32.
template <class In, class Out>
FREDSIM_AVX2 void convert(const std::byte* in, std::byte* out, std::size_t count) {
  if (count < lanes) {
    const ReduceKernels& table = generic_reduce_kernels();
    const auto index = static_cast<std::size_t>(Out::dtype == DType::fp32 ? In::dtype : Out::dtype);
    return (Out::dtype == DType::fp32 ? table.widen : table.round)[index](in, out, count);
  }
  const __m256 last = canonical(In::load(in + (count - lanes) * size<In>));
  for (std::size_t i = 0; i + lanes <= count; i += lanes) {
    Out::store(out + i * size<Out>, canonical(In::load(in + i * size<In>)));
  }
  Out::store(out + (count - lanes) * size<Out>, last);
}

constexpr ReduceKernels avx2_kernels = {
    "avx2+f16c",
    {{sum<Fp16, Fp16>, extreme_of_16_bits<Fp16, true>, extreme_of_16_bits<Fp16, false>},
     {sum<Bf16, Bf16>, extreme_of_16_bits<Bf16, true>, extreme_of_16_bits<Bf16, false>},
     {sum<Fp32, Fp32>, extreme_of_fp32<Fp32, true>, extreme_of_fp32<Fp32, false>},
     {integer<ReduceOp::sum>, integer<ReduceOp::min>, integer<ReduceOp::max>}},
    {{sum<Fp32, Fp16>, extreme_of_fp32<Fp16, true>, extreme_of_fp32<Fp16, false>},
     {sum<Fp32, Bf16>, extreme_of_fp32<Bf16, true>, extreme_of_fp32<Bf16, false>},
     {sum<Fp32, Fp32>, extreme_of_fp32<Fp32, true>, extreme_of_fp32<Fp32, false>}},
    {convert<Fp16, Fp32>, convert<Bf16, Fp32>, convert<Fp32, Fp32>},
    {convert<Fp32, Fp16>, convert<Fp32, Bf16>, convert<Fp32, Fp32>}};

/// Not __builtin_cpu_supports, which not every compiler knows the name f16c for.
bool has_f16c() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}

}  // namespace

const ReduceKernels* avx2_reduce_kernels() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && has_f16c() ? &avx2_kernels : nullptr;
}

}  // namespace fredsim::hw

#else

namespace fredsim::hw {

const ReduceKernels* avx2_reduce_kernels() {
  return nullptr;
}

}  // namespace fredsim::hw

#endif
