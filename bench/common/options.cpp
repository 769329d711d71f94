#include "common/options.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace rondo::bench {

namespace {

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

bool parse_one(std::string_view argument, Options& options) {
  const std::size_t equals = argument.find('=');
  const std::string key(argument.substr(0, equals));
  const std::string value(equals == std::string_view::npos ? "" : argument.substr(equals + 1));
  if (const auto own = options.own.find(key); own != options.own.end()) {
    own->second = value;
  } else if (key == "--rows") {
    options.wanted = split(value);
  } else if (key == "--report" && !value.empty()) {
    options.report = value;
  } else if (key == "--seconds" && std::atof(value.c_str()) > 0) {
    options.seconds = std::atof(value.c_str());
  } else if (argument == "--check") {
    options.check = true;
  } else if (argument == "--rounds") {
    options.rounds = true;
  } else if (argument == "--list") {
    options.list = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool parse(int argc, char** argv, Options& options, const std::string& help) {
  for (int i = 1; i < argc; ++i) {
    if (parse_one(argv[i], options)) continue;
    std::fprintf(stderr, "bench: cannot make sense of '%s'\n\n%s", argv[i], help.c_str());
    return false;
  }
  return true;
}

}  // namespace rondo::bench
