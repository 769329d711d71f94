// Paths of a WASI program, confined to the directory that they start from.
//
// The program must not leave it by "..", by an absolute path or by a symbolic link, even if another
// thread or process changes directories meanwhile. So no path is given to the kernel: the walk
// opens one component after the other, never through a link, and goes up only to directories it has
// open. What it returns is an open directory and the name of one entry in it; whoever uses that
// must not follow a link either.
#pragma once

#include <string>
#include <string_view>

#include "runtime/wasi/descriptors.h"

namespace rondo::wasi {

struct Resolved {
  int directory() const noexcept { return owned.valid() ? owned.get() : start; }
  const char* name() const noexcept { return entry.c_str(); }

  int start = -1;                  // the directory that the path is relative to
  OwnedFd owned;                   // or one below it
  std::string entry;               // "." for the directory itself
  bool must_be_directory = false;  // the path ended with a slash
};

enum class LastLink : bool { keep, follow };

/// `base` is an open directory that the program calls `base_name`: absolute paths may begin with
/// that.
Errno resolve(int base, std::string_view base_name, std::string_view path, LastLink last,
              Resolved& result);

/// Whether a link with this content, stored at `path`, points to something below the directory.
Errno check_link(std::string_view target, std::string_view path);

}  // namespace rondo::wasi
