// Looks up the names given, all at once: lookup [NAME...]
#include <cstdio>
#include <string>
#include <vector>

#include <rondo/rondo.h>

rondo::Async<> look_up(std::string name) {
  const auto addresses = co_await rondo::dns::lookup_all(name);
  if (!addresses) {
    const std::string code(rondo::error_name(addresses.error()));
    std::printf("%s: %s (%s)\n", name.c_str(), code.c_str(), addresses.error().message().c_str());
    co_return;
  }
  for (const auto& address : *addresses) {
    std::printf("%s: %s\n", name.c_str(), address.text.c_str());
  }
}

int main(int count, char** arguments) {
  std::vector<std::string> names(arguments + 1, arguments + count);
  if (names.empty()) names = {"localhost", "127.0.0.1", "::1", "not..a.name"};

  rondo::Loop loop;
  for (const std::string& name : names) rondo::spawn(loop, look_up(name));
  loop.run();
}
