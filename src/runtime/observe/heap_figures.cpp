#include "runtime/observe/heap_figures.h"

namespace rondo {

namespace {

template <auto Getter, class Statistics>
double read(Statistics& statistics) {
  return static_cast<double>((statistics.*Getter)());
}

using Heap = v8::HeapStatistics;
constexpr HeapFigure<Heap> kHeap[] = {
    {"total_heap_size", read<&Heap::total_heap_size>},
    {"total_heap_size_executable", read<&Heap::total_heap_size_executable>},
    {"total_physical_size", read<&Heap::total_physical_size>},
    {"total_available_size", read<&Heap::total_available_size>},
    {"used_heap_size", read<&Heap::used_heap_size>},
    {"heap_size_limit", read<&Heap::heap_size_limit>},
    {"malloced_memory", read<&Heap::malloced_memory>},
    {"peak_malloced_memory", read<&Heap::peak_malloced_memory>},
    {"does_zap_garbage", read<&Heap::does_zap_garbage>},
    {"number_of_native_contexts", read<&Heap::number_of_native_contexts>},
    {"number_of_detached_contexts", read<&Heap::number_of_detached_contexts>},
    {"total_global_handles_size", read<&Heap::total_global_handles_size>},
    {"used_global_handles_size", read<&Heap::used_global_handles_size>},
    {"external_memory", read<&Heap::external_memory>},
    {"total_allocated_bytes", read<&Heap::total_allocated_bytes>},
};

using Space = v8::HeapSpaceStatistics;
constexpr HeapFigure<Space> kSpace[] = {
    {"space_size", read<&Space::space_size>},
    {"space_used_size", read<&Space::space_used_size>},
    {"space_available_size", read<&Space::space_available_size>},
    {"physical_space_size", read<&Space::physical_space_size>},
};

using Code = v8::HeapCodeStatistics;
constexpr HeapFigure<Code> kCode[] = {
    {"code_and_metadata_size", read<&Code::code_and_metadata_size>},
    {"bytecode_and_metadata_size", read<&Code::bytecode_and_metadata_size>},
    {"external_script_source_size", read<&Code::external_script_source_size>},
    {"cpu_profiler_metadata_size", read<&Code::cpu_profiler_metadata_size>},
};

}  // namespace

const std::span<const HeapFigure<v8::HeapStatistics>> kHeapFigures = kHeap;
const std::span<const HeapFigure<v8::HeapSpaceStatistics>> kHeapSpaceFigures = kSpace;
const std::span<const HeapFigure<v8::HeapCodeStatistics>> kHeapCodeFigures = kCode;

}  // namespace rondo
