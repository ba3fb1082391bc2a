#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hw/core/records.h"

namespace fredsim::trace {

enum class Need { not_taken, optional, required };

/// Whether an operation of this type has this key, one of `operation_keys`.
Need need(hw::OperationType type, std::string_view key);

/// Every key of an operation, in the order in which they are written.
const std::vector<std::string>& operation_keys();

/// Every key of the first line.
const std::vector<std::string>& header_keys();

/// The keys that `need` allows for a type, as a list for messages.
std::string taken_keys(hw::OperationType type);

/// `unknown key "byts" (did you mean "bytes"?)`, or with all that is known where nothing is near.
std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& known);

}  // namespace fredsim::trace
