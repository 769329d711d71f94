#include "lens/explain/time_words.h"

#include <array>
#include <cstdio>

namespace rondo::lens {

std::string to_words(Time time) {
  const auto format = [](const char* form, double number) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), form, number);
    return std::string(text.data());
  };
  const double microseconds = std::chrono::duration<double, std::micro>(time).count();
  if (microseconds < 99.5) return format("%.0f µs", microseconds);
  if (microseconds < 9995) return format("%.2f ms", microseconds / 1e3);
  if (microseconds < 99950) return format("%.1f ms", microseconds / 1e3);
  if (microseconds < 999500) return format("%.0f ms", microseconds / 1e3);
  return format("%.2f s", microseconds / 1e6);
}

}  // namespace rondo::lens
