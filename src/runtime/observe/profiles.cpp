#include "runtime/observe/profiles.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "lens/json_writer.h"

namespace rondo {
namespace {

using v8::AllocationProfile;
using v8::Local;

// The embedder data index of the object. For the others see buffer.cpp.
constexpr int kProfilesSlot = 8;

std::string text_of(v8::Isolate* isolate, Local<v8::String> text) {
  const v8::String::Utf8Value bytes(isolate, text);
  return *bytes != nullptr ? std::string(*bytes, static_cast<std::size_t>(bytes.length()))
                           : std::string();
}

void write_node(v8::Isolate* isolate, lens::JsonWriter& json, const AllocationProfile::Node& node) {
  std::size_t own_size = 0;
  for (const AllocationProfile::Allocation& each : node.allocations) {
    own_size += each.size * each.count;
  }
  json.open('{');
  json.field("selfSize", own_size);
  json.field("id", node.node_id);
  json.key("callFrame");
  json.open('{');
  json.field("scriptId", node.script_id);
  json.field("lineNumber", node.line_number - 1);
  json.field("columnNumber", node.column_number - 1);
  json.field("functionName", text_of(isolate, node.name));
  json.field("url", text_of(isolate, node.script_name));
  json.close('}');
  json.key("children");
  json.open('[');
  for (const AllocationProfile::Node* child : node.children) write_node(isolate, json, *child);
  json.close(']');
  json.close('}');
}

// Not by CpuProfile::Serialize(), which escapes nothing: a regular expression is a frame with its
// source as the name.
void write_node(lens::JsonWriter& json, const v8::CpuProfileNode& node) {
  json.open('{');
  json.field("id", node.GetNodeId());
  json.field("hitCount", node.GetHitCount());
  json.key("callFrame");
  json.open('{');
  json.field("functionName", node.GetFunctionNameStr());
  json.field("lineNumber", node.GetLineNumber() - 1);
  json.field("columnNumber", node.GetColumnNumber() - 1);
  json.field("scriptId", node.GetScriptId());
  json.field("url", node.GetScriptResourceNameStr());
  json.close('}');
  if (const int count = node.GetChildrenCount(); count > 0) {
    json.key("children");
    json.open('[');
    for (int i = 0; i < count; ++i) json.value(node.GetChild(i)->GetNodeId());
    json.close(']');
  }
  if (const char* reason = node.GetBailoutReason(); *reason != '\0')
    json.field("deoptReason", reason);
  if (const unsigned count = node.GetHitLineCount(); count > 0) {
    std::vector<v8::CpuProfileNode::LineTick> ticks(count);
    node.GetLineTicks(ticks.data(), count);
    json.key("positionTicks");
    json.open('[');
    for (const v8::CpuProfileNode::LineTick& tick : ticks) {
      json.open('{');
      json.field("line", tick.line);
      json.field("ticks", tick.hit_count);
      json.close('}');
    }
    json.close(']');
  }
  json.close('}');
}

std::string written(const v8::CpuProfile& profile) {
  lens::JsonWriter json;
  json.open('{');
  json.key("nodes");
  json.open('[');
  // The tree may be as deep as the program's stack was: no recursion.
  std::vector<const v8::CpuProfileNode*> waiting{profile.GetTopDownRoot()};
  while (!waiting.empty()) {
    const v8::CpuProfileNode* node = waiting.back();
    waiting.pop_back();
    write_node(json, *node);
    for (int i = node->GetChildrenCount() - 1; i >= 0; --i) waiting.push_back(node->GetChild(i));
  }
  json.close(']');
  json.field("startTime", profile.GetStartTime());
  json.field("endTime", profile.GetEndTime());
  json.key("samples");
  json.open('[');
  const int count = profile.GetSamplesCount();
  for (int i = 0; i < count; ++i) json.value(profile.GetSample(i)->GetNodeId());
  json.close(']');
  json.key("timeDeltas");
  json.open('[');
  std::int64_t before = profile.GetStartTime();
  for (int i = 0; i < count; ++i) {
    const std::int64_t time = profile.GetSampleTimestamp(i);
    json.value(time - before);
    before = time;
  }
  json.close(']');
  json.close('}');
  return json.take();
}

}  // namespace

std::string heap_profile_so_far(v8::Isolate* isolate) {
  const v8::HandleScope scope(isolate);
  const std::unique_ptr<AllocationProfile> profile(
      isolate->GetHeapProfiler()->GetAllocationProfile());
  if (profile == nullptr) return {};
  lens::JsonWriter json;
  json.open('{');
  json.key("samples");
  json.open('[');
  for (const AllocationProfile::Sample& sample : profile->GetSamples()) {
    json.open('{');
    json.field("size", sample.size * sample.count);
    json.field("nodeId", sample.node_id);
    json.field("ordinal", sample.sample_id);
    json.close('}');
  }
  json.close(']');
  json.key("head");
  write_node(isolate, json, *profile->GetRootNode());
  json.close('}');
  return json.take();
}

Profiles& Profiles::of(Environment& environment) {
  const Local<v8::Context> context = environment.context();
  if (context->GetNumberOfEmbedderDataFields() > kProfilesSlot) {
    const Local<v8::Value> kept = context->GetEmbedderData(kProfilesSlot);
    if (auto* profiles = Wrapped::from<Profiles>(kept)) return *profiles;
  }
  const Local<v8::Object> object = environment.new_holder().ToLocalChecked();
  context->SetEmbedderData(kProfilesSlot, object);
  return *new Profiles(environment, object);
}

Profiles::Profiles(Environment& environment, Local<v8::Object> object)
    : Wrapped(environment, object) {
  hold();
}

Profiles::~Profiles() {
  // V8 can dispose only of a profiler that has nothing to do.
  while (!under_way_.empty()) stop_cpu(under_way_.back());
}

std::optional<v8::ProfilerId> Profiles::start_cpu(int interval_us, unsigned most_samples) {
  if (cpu_ == nullptr) cpu_ = v8::CpuProfiler::New(environment().isolate());
  const v8::CpuProfilingResult result = cpu_->Start(v8::CpuProfilingOptions(
      v8::CpuProfilingMode::kLeafNodeLineNumbers, most_samples, interval_us));
  if (result.status == v8::CpuProfilingStatus::kErrorTooManyProfilers) return std::nullopt;
  under_way_.push_back(result.id);
  return result.id;
}

std::string Profiles::stop_cpu(v8::ProfilerId id) {
  if (std::erase(under_way_, id) == 0) return {};
  const v8::HandleScope scope(environment().isolate());
  std::string text;
  if (v8::CpuProfile* profile = cpu_->Stop(id); profile != nullptr) {
    text = written(*profile);
    profile->Delete();
  }
  if (under_way_.empty()) std::exchange(cpu_, nullptr)->Dispose();
  return text;
}

bool Profiles::start_heap(std::uint64_t interval, int depth, int flags) {
  v8::HeapProfiler* heap = environment().isolate()->GetHeapProfiler();
  return heap->StartSamplingHeapProfiler(interval, depth,
                                         static_cast<v8::HeapProfiler::SamplingFlags>(flags));
}

std::string Profiles::stop_heap() {
  v8::Isolate* isolate = environment().isolate();
  std::string text = heap_profile_so_far(isolate);
  if (!text.empty()) isolate->GetHeapProfiler()->StopSamplingHeapProfiler();
  return text;
}

}  // namespace rondo
