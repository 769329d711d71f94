// Figures of V8's heap with the names that node:v8 has for them.
#pragma once

#include <v8.h>

#include <array>
#include <span>
#include <string_view>

namespace rondo {

/// A figure, and how V8 is asked for it.
template <class Statistics>
struct HeapFigure {
  std::string_view name;
  double (*read)(Statistics& statistics);
};

extern const std::span<const HeapFigure<v8::HeapStatistics>> kHeapFigures;
extern const std::span<const HeapFigure<v8::HeapSpaceStatistics>> kHeapSpaceFigures;
extern const std::span<const HeapFigure<v8::HeapCodeStatistics>> kHeapCodeFigures;

}  // namespace rondo
