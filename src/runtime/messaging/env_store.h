// The variables of process.env in a Worker that does not share them with the process. Workers may
// share a store with one another.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rondo {

class EnvStore {
 public:
  using Variables = std::map<std::string, std::string>;

  explicit EnvStore(Variables variables) : variables_(std::move(variables)) {}

  std::optional<std::string> get(const std::string& name) const {
    const std::lock_guard guard(mutex_);
    const auto found = variables_.find(name);
    return found == variables_.end() ? std::nullopt : std::optional(found->second);
  }
  void set(const std::string& name, std::string value) {
    const std::lock_guard guard(mutex_);
    variables_.insert_or_assign(name, std::move(value));
  }
  void remove(const std::string& name) {
    const std::lock_guard guard(mutex_);
    variables_.erase(name);
  }
  Variables copy() const {
    const std::lock_guard guard(mutex_);
    return variables_;
  }

  /// A copy of those of the process.
  static Variables of_process();

 private:
  mutable std::mutex mutex_;
  Variables variables_;
};

}  // namespace rondo
