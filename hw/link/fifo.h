#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstddef>
#include <utility>

namespace fredsim::hw {

/// A queue that grows when it is full and never shrinks, so that it allocates only while it warms up.
template <class T>
class Fifo {
 public:
  bool empty() const { return ring_.empty(); }
  std::size_t size() const { return ring_.size(); }
  T& front() { return ring_.front(); }
  const T& front() const { return ring_.front(); }
  const T& back() const { return ring_.back(); }
  auto begin() { return ring_.begin(); }
  auto end() { return ring_.end(); }
  auto begin() const { return ring_.begin(); }
  auto end() const { return ring_.end(); }

  void push(T item) {
    if (ring_.full()) ring_.set_capacity(std::max<std::size_t>(8, 2 * ring_.capacity()));
    ring_.push_back(std::move(item));
  }

  /// Keeps the queue ascending by `less`; an item goes behind its equals.
  template <class Less>
  void push_in_order(T item, Less less) {
    push(std::move(item));
    for (std::size_t i = ring_.size() - 1; i > 0 && less(ring_[i], ring_[i - 1]); --i) {
      std::swap(ring_[i], ring_[i - 1]);
    }
  }

  /// Takes out an item in the middle.
  template <class Iterator>
  void erase(Iterator at) {
    ring_.erase(at);
  }

  T pop() {
    T item = std::move(ring_.front());
    ring_.pop_front();
    return item;
  }

 private:
  boost::circular_buffer<T> ring_;
};

}  // namespace fredsim::hw
