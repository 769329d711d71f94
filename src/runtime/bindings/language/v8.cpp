// For node:v8: how V8 uses its memory, its options, and pictures of its heap.
#include <v8-profiler.h>

#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/bytes/buffer.h"
#include "runtime/engine/environment.h"
#include "runtime/engine/host/gc_profile.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/class_shape.h"
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

void heap_statistics(const Arguments& args) {
  v8::HeapStatistics heap;
  args.GetIsolate()->GetHeapStatistics(&heap);
  args.GetReturnValue().Set(figures(args.GetIsolate(), heap));
}

void heap_space_statistics(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  std::vector<Local<Value>> spaces;
  for (std::size_t i = 0; i < isolate->NumberOfHeapSpaces(); ++i) {
    v8::HeapSpaceStatistics space;
    isolate->GetHeapSpaceStatistics(&space, i);
    spaces.push_back(figures(isolate, space));
  }
  args.GetReturnValue().Set(v8::Array::New(isolate, spaces.data(), spaces.size()));
}

void heap_code_statistics(const Arguments& args) {
  v8::HeapCodeStatistics code;
  args.GetIsolate()->GetHeapCodeAndMetadataStatistics(&code);
  args.GetReturnValue().Set(figures(args.GetIsolate(), kHeapCodeFigures, code));
}

/// (prototype): an array of all objects that inherit from it
void query_objects(const Arguments& args) {
  class Heirs final : public v8::QueryObjectPredicate {
   public:
    Heirs(Local<v8::Context> context, Local<Value> prototype)
        : context_(context), prototype_(prototype) {}
    bool Filter(Local<v8::Object> object) override {
      if (object->GetCreationContextChecked(v8::Isolate::GetCurrent()) != context_) return false;
      Local<Value> next = object->GetPrototypeV2();
      while (next->IsObject() && !next->IsProxy()) {
        if (next->StrictEquals(prototype_)) return true;
        next = next.As<v8::Object>()->GetPrototypeV2();
      }
      return false;
    }

   private:
    Local<v8::Context> context_;
    Local<Value> prototype_;
  };

  v8::Isolate* isolate = args.GetIsolate();
  Heirs heirs(isolate->GetCurrentContext(), args[0]);
  std::vector<v8::Global<v8::Object>> found;
  isolate->GetHeapProfiler()->QueryObjects(isolate->GetCurrentContext(), &heirs, &found);
  v8::LocalVector<Value> objects(isolate);
  for (const v8::Global<v8::Object>& object : found) objects.push_back(object.Get(isolate));
  args.GetReturnValue().Set(v8::Array::New(isolate, objects.data(), objects.size()));
}

/// (string)
void is_one_byte(const Arguments& args) {
  args.GetReturnValue().Set(args[0].As<v8::String>()->IsOneByte());
}

void cached_data_version_tag(const Arguments& args) {
  args.GetReturnValue().Set(v8::ScriptCompiler::CachedDataVersionTag());
}

void set_flags_from_string(const Arguments& args) {
  const v8::String::Utf8Value flags(args.GetIsolate(), args[0]);
  v8::V8::SetFlagsFromString(*flags, static_cast<std::size_t>(flags.length()));
}

// ---- Pictures of the heap -----------------------------------------------------------------------

/// (path, whether numbers are shown): writes the file
void write_heap_snapshot(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::String::Utf8Value path(isolate, args[0]);
  const SnapshotFailure failure = write_snapshot(isolate, *path, args[1]->IsTrue());
  if (failure.call == nullptr) return;
  const Environment& environment = Environment::of(isolate);
  isolate->ThrowException(environment.system_error(failure.error, failure.call, *path));
}

/// (number of snapshots, folder, id of the thread)
void snapshot_near_heap_limit(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const v8::String::Utf8Value folder(isolate, args[1]);
  Environment::of(isolate).accompany(std::make_unique<NearHeapLimit>(
      isolate, args[0].As<v8::Uint32>()->Value(), *folder, args[2].As<v8::Uint32>()->Value()));
}

/// (whether numbers are shown): a Buffer
void heap_snapshot(const Arguments& args) {
  TextStream stream;
  take_snapshot(args.GetIsolate(), stream, args[0]->IsTrue());
  Local<v8::Object> buffer;
  if (make_buffer(Environment::of(args.GetIsolate()), std::as_bytes(std::span(stream.text())))
          .ToLocal(&buffer)) {
    args.GetReturnValue().Set(buffer);
  }
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

void start_gc_profile(const Arguments& args) {
  Wrapped::from<GcProfile>(args.This())->start();
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

constexpr Method kProfileMethods[] = {{"start", start_gc_profile}, {"stop", stop_gc_profile}};

void extend(Environment& environment, Local<v8::Object> target) {
  v8::Isolate* isolate = environment.isolate();
  set_value(environment, target, "heapNames", names_of(isolate, kHeapFigures));
  set_value(environment, target, "spaceNames", names_of(isolate, kHeapSpaceFigures));
  set_value(environment, target, "codeNames", names_of(isolate, kHeapCodeFigures));
}

constexpr ClassShape kClasses[] = {{"GCProfile", construct_gc_profile, kProfileMethods}};

// ---- Profiles -----------------------------------------------------------------------------------

Profiles& profiles_of(const Arguments& args) {
  return Profiles::of(Environment::of(args.GetIsolate()));
}

/// (microseconds, samples): an id, or undefined if there are too many
void start_cpu_profile(const Arguments& args) {
  const auto id = profiles_of(args).start_cpu(args[0].As<v8::Int32>()->Value(),
                                              args[1].As<v8::Uint32>()->Value());
  if (id) args.GetReturnValue().Set(*id);
}

void stop_cpu_profile(const Arguments& args) {
  const std::string text = profiles_of(args).stop_cpu(args[0].As<v8::Uint32>()->Value());
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(text));
}

/// (bytes, frames, flags): false if one is in progress
void start_heap_profile(const Arguments& args) {
  const auto interval = static_cast<std::uint64_t>(args[0].As<v8::Number>()->Value());
  args.GetReturnValue().Set(profiles_of(args).start_heap(interval, args[1].As<v8::Int32>()->Value(),
                                                         args[2].As<v8::Int32>()->Value()));
}

void stop_heap_profile(const Arguments& args) {
  const std::string text = profiles_of(args).stop_heap();
  args.GetReturnValue().Set(Environment::of(args.GetIsolate()).text(text));
}

constexpr Method kMethods[] = {
    {"heapStatistics", heap_statistics},
    {"heapSpaceStatistics", heap_space_statistics},
    {"heapCodeStatistics", heap_code_statistics},
    {"isOneByte", is_one_byte},
    {"queryObjects", query_objects},
    {"cachedDataVersionTag", cached_data_version_tag},
    {"setFlagsFromString", set_flags_from_string},
    {"writeHeapSnapshot", write_heap_snapshot},
    {"snapshotNearHeapLimit", snapshot_near_heap_limit},
    {"heapSnapshot", heap_snapshot},
    {"startCpuProfile", start_cpu_profile},
    {"stopCpuProfile", stop_cpu_profile},
    {"startHeapProfile", start_heap_profile},
    {"stopHeapProfile", stop_heap_profile},
};

}  // namespace

extern const Binding binding_v8;
const Binding binding_v8{.name = "v8", .methods = kMethods, .extend = extend, .classes = kClasses};

}  // namespace rondo
