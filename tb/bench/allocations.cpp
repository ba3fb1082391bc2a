#include "tb/bench/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::uint64_t count = 0;
}

// The two forms that others of the library's end in, so that memory is freed by what allocated it.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(size);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace fredsim::tb::bench {

std::uint64_t allocations() {
  return count;
}

}  // namespace fredsim::tb::bench
