#include "runtime/wasi/resolve.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <vector>

namespace rondo::wasi {
namespace {

// As many as uvwasi, which Node uses, follows.
constexpr int kMostLinks = 32;

/// The components in the order they are walked, last first: the target of a link is added at the
/// end.
using Components = std::vector<std::string>;

/// Adds the components of a path, without "." and empty ones.
void push(Components& components, std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::string_view part = slash == path.npos ? path : path.substr(slash + 1);
    if (!part.empty() && part != ".") components.emplace_back(part);
    path = slash == path.npos ? std::string_view() : path.substr(0, slash);
  }
}

/// "a/../b" is "b" here as in Node, whether there is an "a" or not. False if it leads out.
bool collapse(Components& components) {
  Components kept;
  for (auto part = components.rbegin(); part != components.rend(); ++part) {
    if (*part != "..") {
      kept.push_back(std::move(*part));
    } else if (kept.empty()) {
      return false;
    } else {
      kept.pop_back();
    }
  }
  components.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
  return true;
}

/// Makes an absolute path relative. False if it begins elsewhere.
bool make_relative(std::string_view base_name, std::string_view& path) {
  if (!path.starts_with('/')) return true;
  while (base_name.ends_with('/')) base_name.remove_suffix(1);
  if (!path.starts_with(base_name)) return false;
  path.remove_prefix(base_name.size());
  return path.empty() || path.starts_with('/');
}

/// The content of a link; empty if it is none.
std::string read_link(int directory, const char* name) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlinkat(directory, name, text.data(), text.size());
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

class Walk {
 public:
  Walk(int base, std::string_view base_name, LastLink last)
      : base_(base), base_name_(base_name), last_(last) {}

  Errno run(Components components, bool must_be_directory, Resolved& result) {
    components_ = std::move(components);
    std::string name = ".";
    while (!components_.empty()) {
      name = std::move(components_.back());
      components_.pop_back();
      const bool is_last = components_.empty();
      if (name == "..") {
        if (below_.empty()) return Errno::notcapable;
        below_.pop_back();
        name = ".";
      } else if (!is_last || must_be_directory || last_ == LastLink::follow) {
        bool was_link = false;
        if (const Errno error = follow(name, was_link); error != Errno::success) return error;
        if (was_link) {
          name = ".";
        } else if (!is_last) {
          if (const Errno error = enter(name); error != Errno::success) return error;
        }
      }
    }
    result.start = base_;
    if (!below_.empty()) result.owned = std::move(below_.back());
    result.entry = std::move(name);
    result.must_be_directory = must_be_directory;
    return Errno::success;
  }

 private:
  int current() const noexcept { return below_.empty() ? base_ : below_.back().get(); }

  Errno follow(const std::string& name, bool& was_link) {
    const std::string target = read_link(current(), name.c_str());
    was_link = !target.empty();
    if (!was_link) return Errno::success;
    if (++links_ > kMostLinks) return Errno::loop;
    std::string_view path = target;
    if (path.starts_with('/')) {
      if (!make_relative(base_name_, path)) return Errno::notcapable;
      below_.clear();
    }
    push(components_, path);
    return Errno::success;
  }

  Errno enter(const std::string& name) {
    const int fd = ::openat(current(), name.c_str(), O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return from_errno(errno);
    below_.emplace_back(fd);
    return Errno::success;
  }

  int base_;
  std::string_view base_name_;
  LastLink last_;
  Components components_;
  std::vector<OwnedFd> below_;  // the directories between the base and where we are
  int links_ = 0;
};

}  // namespace

Errno resolve(int base, std::string_view base_name, std::string_view path, LastLink last,
              Resolved& result) {
  // What follows a zero is not part of a path for C, which is what programs are compiled from.
  path = path.substr(0, path.find('\0'));
  if (path.empty()) return Errno::inval;
  if (path.size() >= PATH_MAX) return Errno::nametoolong;
  if (!make_relative(base_name, path)) return Errno::notcapable;
  Components components;
  push(components, path);
  if (!collapse(components)) return Errno::notcapable;
  return Walk(base, base_name, last).run(std::move(components), path.ends_with('/'), result);
}

Errno check_link(std::string_view target, std::string_view path) {
  target = target.substr(0, target.find('\0'));
  if (target.empty()) return Errno::inval;
  if (target.starts_with('/')) return Errno::perm;
  Components components;
  push(components, target);
  Components folder;
  push(folder, path);
  if (!folder.empty()) folder.erase(folder.begin());  // the link's own name
  components.insert(components.end(), std::make_move_iterator(folder.begin()),
                    std::make_move_iterator(folder.end()));
  return collapse(components) ? Errno::success : Errno::notcapable;
}

}  // namespace rondo::wasi
