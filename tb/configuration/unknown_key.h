#pragma once

#include <string>

namespace fredsim::tb {

/// Keys as a message lists them: those below `group`, or the topics if it is empty. Families are listed as
/// such, unless the group is of one level.
std::string known_keys(const std::string& group);

/// Whether `key` is the beginning of longer keys ("buffer.l1").
bool is_group(const std::string& key);

/// A key as a message can show it: unchanged if it is one that could be meant.
std::string shown_key(const std::string& key);

/// What to say of a key that no parameter has: the nearest known one, the levels that its family has, or the
/// keys of its group.
std::string unknown_key(const std::string& key);

}  // namespace fredsim::tb
