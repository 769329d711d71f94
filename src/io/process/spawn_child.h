// Making a child process, as fast as the kernel can and without leaking anything.
//
// The child runs in our memory (CLONE_VM) while we stand still (CLONE_VFORK) until it has become
// another program or has failed: no page table is copied, however large this process is, and the
// error of what failed is available when we continue. The price: what the child does before
// it is another program is done by system calls alone, on memory prepared for it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "rondo/error.h"
#include "rondo/process.h"

#include "io/descriptor.h"

namespace rondo {

struct ChildPlan {
  std::vector<std::string> candidates;  // the paths to try, in order
  std::vector<const char*> argv;        // ends with a null, as does env
  std::vector<const char*> env;
  const char* cwd = nullptr;
  // By descriptor of the child: ours that it becomes, or that it is closed.
  static constexpr int kClosed = -1;
  std::vector<int> descriptors;
  bool new_session = false;
  bool new_group = false;
  bool takes_terminal = false;  // its descriptor 0 becomes its controlling terminal
  std::vector<ResourceLimit> limits;
  std::optional<uid_t> uid;
  std::optional<gid_t> gid;
  std::optional<std::vector<gid_t>> groups;
};

struct Child {
  pid_t pid = -1;
  Descriptor pidfd;
};

/// The paths that execvp(3) would try for a program, in order.
std::vector<std::string> search_path(const std::string& program, const char* path);

/// Returns when the child is another program. An error is what kept it from becoming one: no
/// child is left then.
Expected<Child> spawn_child(const ChildPlan& plan);

}  // namespace rondo
