// For node:v8: how V8 uses its memory, its options, and pictures of its heap.
#include <cppgc/heap-statistics.h>
#include <v8-cppgc.h>
#include <v8-profiler.h>

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lens/json_writer.h"
#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/host/gc_profile.h"
#include "runtime/glue/class_shape.h"
#include "runtime/glue/typed_method.h"
#include "runtime/observe/heap_figures.h"
#include "runtime/observe/heap_snapshot.h"
#include "runtime/observe/profiles.h"
#include "runtime/observe/text_stream.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

/// The figures of `table`, in its order; lib/ has their names.
template <class Statistics>
Local<v8::Array> figures(v8::Isolate* isolate, std::span<const HeapFigure<Statistics>> table,
                         Statistics& statistics) {
  v8::LocalVector<Value> list(isolate);
  for (const auto& figure : table) {
    list.push_back(v8::Number::New(isolate, figure.read(statistics)));
  }
  return v8::Array::New(isolate, list.data(), list.size());
}

template <class Statistics>
Local<v8::Array> names_of(v8::Isolate* isolate, std::span<const HeapFigure<Statistics>> table) {
  v8::LocalVector<Value> list(isolate);
  for (const auto& figure : table) list.push_back(Environment::of(isolate).text(figure.name));
  return v8::Array::New(isolate, list.data(), list.size());
}

Local<v8::Array> figures(v8::Isolate* isolate, v8::HeapStatistics& heap) {
  return figures(isolate, kHeapFigures, heap);
}

/// [name, figures]
Local<v8::Array> figures(v8::Isolate* isolate, v8::HeapSpaceStatistics& space) {
  Local<Value> entry[] = {Environment::of(isolate).text(space.space_name()),
                          figures(isolate, kHeapSpaceFigures, space)};
  return v8::Array::New(isolate, entry, std::size(entry));
}

Local<v8::Array> heap_statistics(v8::Isolate* isolate) {
  v8::HeapStatistics heap;
  isolate->GetHeapStatistics(&heap);
  return figures(isolate, heap);
}

std::vector<Local<Value>> heap_space_statistics(v8::Isolate* isolate) {
  std::vector<Local<Value>> spaces;
  for (std::size_t i = 0; i < isolate->NumberOfHeapSpaces(); ++i) {
    v8::HeapSpaceStatistics space;
    isolate->GetHeapSpaceStatistics(&space, i);
    spaces.push_back(figures(isolate, space));
  }
  return spaces;
}

Local<v8::Array> heap_code_statistics(v8::Isolate* isolate) {
  v8::HeapCodeStatistics code;
  isolate->GetHeapCodeAndMetadataStatistics(&code);
  return figures(isolate, kHeapCodeFigures, code);
}

// The heap of V8's own C++ objects, as JSON with Node's names.

void write_sizes(lens::JsonWriter& json, const auto& of) {
  json.field("committed_size_bytes", of.committed_size_bytes);
  json.field("resident_size_bytes", of.resident_size_bytes);
  json.field("used_size_bytes", of.used_size_bytes);
}

template <class List, class Write>
void write_list(lens::JsonWriter& json, std::string_view key, const List& list, Write write) {
  json.key(key);
  json.open('[');
  for (const auto& entry : list) write(entry);
  json.close(']');
}

void write_page(lens::JsonWriter& json, const cppgc::HeapStatistics::PageStatistics& page) {
  json.open('{');
  write_sizes(json, page);
  write_list(json, "object_statistics", page.object_statistics, [&](const auto& entry) {
    json.open('{');
    json.field("allocated_bytes", entry.allocated_bytes);
    json.field("object_count", entry.object_count);
    json.close('}');
  });
  json.close('}');
}

void write_space(lens::JsonWriter& json, const cppgc::HeapStatistics::SpaceStatistics& space) {
  const auto number = [&](std::size_t value) { json.value(value); };
  json.open('{');
  json.field("name", space.name);
  write_sizes(json, space);
  write_list(json, "page_stats", space.page_stats,
             [&](const auto& page) { write_page(json, page); });
  json.key("free_list_stats");
  json.open('{');
  write_list(json, "bucket_size", space.free_list_stats.bucket_size, number);
  write_list(json, "free_count", space.free_list_stats.free_count, number);
  write_list(json, "free_size", space.free_list_stats.free_size, number);
  json.close('}');
  json.close('}');
}

/// (whether in detail)
std::string cpp_heap_statistics(v8::Isolate* isolate, bool in_detail) {
  using cppgc::HeapStatistics;
  const HeapStatistics heap = isolate->GetCppHeap()->CollectStatistics(
      in_detail ? HeapStatistics::kDetailed : HeapStatistics::kBrief);
  lens::JsonWriter json;
  json.open('{');
  write_sizes(json, heap);
  write_list(json, "space_statistics", heap.space_stats,
             [&](const auto& space) { write_space(json, space); });
  write_list(json, "type_names", heap.type_names,
             [&](const std::string& name) { json.value(name); });
  json.close('}');
  return json.take();
}

/// (prototype): an array of all objects that inherit from it
Local<v8::Array> query_objects(v8::Isolate* isolate, Local<Value> prototype) {
  class Heirs final : public v8::QueryObjectPredicate {
   public:
    Heirs(Local<v8::Context> context, Local<Value> ancestor)
        : context_(context), ancestor_(ancestor) {}
    bool Filter(Local<v8::Object> object) override {
      if (object->GetCreationContextChecked(v8::Isolate::GetCurrent()) != context_) return false;
      Local<Value> next = object->GetPrototypeV2();
      while (next->IsObject() && !next->IsProxy()) {
        if (next->StrictEquals(ancestor_)) return true;
        next = next.As<v8::Object>()->GetPrototypeV2();
      }
      return false;
    }

   private:
    Local<v8::Context> context_;
    Local<Value> ancestor_;
  };

  Heirs heirs(isolate->GetCurrentContext(), prototype);
  std::vector<v8::Global<v8::Object>> found;
  isolate->GetHeapProfiler()->QueryObjects(isolate->GetCurrentContext(), &heirs, &found);
  v8::LocalVector<Value> objects(isolate);
  for (const v8::Global<v8::Object>& object : found) objects.push_back(object.Get(isolate));
  return v8::Array::New(isolate, objects.data(), objects.size());
}

/// (string)
bool is_one_byte(Local<v8::String> text) {
  return text->IsOneByte();
}

std::uint32_t cached_data_version_tag() {
  return v8::ScriptCompiler::CachedDataVersionTag();
}

void set_flags_from_string(const std::string& flags) {
  v8::V8::SetFlagsFromString(flags.data(), flags.size());
}

// ---- Pictures of the heap -----------------------------------------------------------------------

/// (path, whether numbers are shown): writes the file
void write_heap_snapshot(Environment& environment, const std::string& path, bool with_numbers) {
  v8::Isolate* isolate = environment.isolate();
  const SnapshotFailure failure = write_snapshot(isolate, path.c_str(), with_numbers);
  if (failure.call == nullptr) return;
  isolate->ThrowException(environment.system_error(failure.error, failure.call, path));
}

/// (number of files, folder, id of the thread)
template <NearHeapLimit::Kind kKind>
void write_near_heap_limit(Environment& environment, std::uint32_t count, const std::string& folder,
                           std::uint32_t thread) {
  environment.accompany(
      std::make_unique<NearHeapLimit>(environment.isolate(), kKind, count, folder, thread));
}

/// (whether numbers are shown): a Buffer
v8::MaybeLocal<v8::Object> heap_snapshot(Environment& environment, bool with_numbers) {
  TextStream stream;
  take_snapshot(environment.isolate(), stream, with_numbers);
  return make_buffer(environment, std::as_bytes(std::span(stream.text())));
}

// ---- Collections of garbage ---------------------------------------------------------------------

std::string_view name_of(v8::GCType type) {
  switch (type) {
    case v8::kGCTypeScavenge:
      return "Scavenge";
    case v8::kGCTypeMinorMarkSweep:
      return "MinorMarkSweep";
    case v8::kGCTypeMarkSweepCompact:
      return "MarkSweepCompact";
    case v8::kGCTypeIncrementalMarking:
      return "IncrementalMarking";
    case v8::kGCTypeProcessWeakCallbacks:
      return "ProcessWeakCallbacks";
    default:
      return "Unknown";
  }
}

/// [figures of the heap, list of those of its spaces]
Local<v8::Array> figures(v8::Isolate* isolate, HeapState state) {
  std::vector<Local<Value>> spaces;
  for (v8::HeapSpaceStatistics& space : state.spaces) spaces.push_back(figures(isolate, space));
  Local<Value> entry[] = {figures(isolate, state.heap),
                          v8::Array::New(isolate, spaces.data(), spaces.size())};
  return v8::Array::New(isolate, entry, std::size(entry));
}

void construct_gc_profile(const Arguments& args) {
  new GcProfile(Environment::of(args.GetIsolate()), args.This());
}

/// A list of [kind, microseconds, before, after]
void stop_gc_profile(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  GcProfile& profile = *Wrapped::from<GcProfile>(args.This());
  profile.stop();
  std::vector<Local<Value>> list;
  for (const GcProfile::Collection& collection : profile.collections()) {
    Local<Value> entry[] = {
        Environment::of(isolate).text(name_of(collection.type)),
        v8::Number::New(isolate, static_cast<double>(collection.duration.count()) / 1e3),
        figures(isolate, collection.before),
        figures(isolate, collection.after),
    };
    list.push_back(v8::Array::New(isolate, entry, std::size(entry)));
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

constexpr Method kProfileMethods[] = {method<&GcProfile::start>("start"),
                                      {"stop", stop_gc_profile}};

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  set_value(environment, target, "heapNames", names_of(isolate, kHeapFigures));
  set_value(environment, target, "spaceNames", names_of(isolate, kHeapSpaceFigures));
  set_value(environment, target, "codeNames", names_of(isolate, kHeapCodeFigures));
}

constexpr ClassShape kClasses[] = {{"GCProfile", construct_gc_profile, kProfileMethods}};

// ---- Profiles -----------------------------------------------------------------------------------

/// V8's, for profiles of allocations.
enum SamplingFlags : std::uint32_t { kForceGC = 1, kIncludeMajorGC = 2, kIncludeMinorGC = 4 };
template <class Flag>
constexpr bool are_flags(SamplingFlags ours, Flag theirs) {
  return static_cast<unsigned>(ours) == static_cast<unsigned>(theirs);
}
static_assert(are_flags(kForceGC, v8::HeapProfiler::kSamplingForceGC) &&
              are_flags(kIncludeMajorGC,
                        v8::HeapProfiler::kSamplingIncludeObjectsCollectedByMajorGC) &&
              are_flags(kIncludeMinorGC,
                        v8::HeapProfiler::kSamplingIncludeObjectsCollectedByMinorGC));

/// (microseconds, samples): an id, or undefined if there are too many
std::optional<v8::ProfilerId> start_cpu_profile(Environment& environment, std::int32_t interval,
                                                std::uint32_t samples) {
  return Profiles::of(environment).start_cpu(interval, samples);
}

std::string stop_cpu_profile(Environment& environment, std::uint32_t id) {
  return Profiles::of(environment).stop_cpu(id);
}

/// (bytes, frames, flags): false if one is in progress
bool start_heap_profile(Environment& environment, double interval, std::int32_t depth,
                        std::int32_t flags) {
  return Profiles::of(environment).start_heap(static_cast<std::uint64_t>(interval), depth, flags);
}

std::string stop_heap_profile(Environment& environment) {
  return Profiles::of(environment).stop_heap();
}

constexpr Method kMethods[] = {
    method<heap_statistics>("heapStatistics"),
    method<heap_space_statistics>("heapSpaceStatistics"),
    method<heap_code_statistics>("heapCodeStatistics"),
    method<is_one_byte>("isOneByte"),
    method<query_objects>("queryObjects"),
    method<cached_data_version_tag>("cachedDataVersionTag"),
    method<set_flags_from_string>("setFlagsFromString"),
    method<write_heap_snapshot>("writeHeapSnapshot"),
    method<write_near_heap_limit<NearHeapLimit::Kind::snapshot>>("snapshotNearHeapLimit"),
    method<write_near_heap_limit<NearHeapLimit::Kind::profile>>("profileNearHeapLimit"),
    method<cpp_heap_statistics>("cppHeapStatistics"),
    method<heap_snapshot>("heapSnapshot"),
    method<start_cpu_profile>("startCpuProfile"),
    method<stop_cpu_profile>("stopCpuProfile"),
    method<start_heap_profile>("startHeapProfile"),
    method<stop_heap_profile>("stopHeapProfile"),
};

}  // namespace

extern const Binding binding_v8;
const Binding binding_v8{.name = "v8", .methods = kMethods, .extend = extend, .classes = kClasses};

}  // namespace rondo
