#pragma once

#include <stdexcept>

namespace fredsim::hw {

/// Something the user gave cannot be used: the program answers with the message and exit code 2 before any
/// simulated time has passed. The message names the place (file, line, option), what is wrong and what is
/// allowed.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The model contradicts itself: exit code 4. The message carries the module's path and the simulated time.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace fredsim::hw
