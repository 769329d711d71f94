// What the dynamic linker has read to start the program.
#pragma once

namespace rondo {

/// Lets the kernel take back the memory of the symbol and relocation tables of all libraries. V8's
/// have 8 MiB, of no use once the program runs; should somebody need them, they are read again.
void let_go_of_link_tables() noexcept;

}  // namespace rondo
