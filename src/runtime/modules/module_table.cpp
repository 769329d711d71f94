#include "runtime/modules/module_table.h"

namespace rondo {

namespace {

/// Where the isolate keeps the table; the first slot is the environment's.
constexpr std::uint32_t kSlot = 1;

}  // namespace

ModuleHandle& ModuleHandle::make(Environment& environment, v8::Local<v8::Module> module,
                                 v8::Local<v8::Context> context) {
  v8::Isolate* isolate = environment.isolate();
  ModuleTable& table = ModuleTable::of(environment);
  const v8::Local<v8::Object> object =
      table.shape_.Get(isolate)->NewInstance(environment.context()).ToLocalChecked();
  auto* handle = new ModuleHandle(environment, object, module, context);
  table.handles_.emplace(handle->hash_, handle);
  return *handle;
}

ModuleHandle::ModuleHandle(Environment& environment, v8::Local<v8::Object> object,
                           v8::Local<v8::Module> module, v8::Local<v8::Context> context)
    : Wrapped(environment, object),
      module_(environment.isolate(), module),
      hash_(module->GetIdentityHash()) {
  module_.SetWeak();
  object->SetInternalField(kModule, module);
  object->SetInternalField(kContext, context);
}

ModuleHandle::~ModuleHandle() {
  auto* table = static_cast<ModuleTable*>(environment().isolate()->GetData(kSlot));
  if (table == nullptr) return;
  const auto [begin, end] = table->handles_.equal_range(hash_);
  for (auto at = begin; at != end; ++at) {
    if (at->second != this) continue;
    table->handles_.erase(at);
    return;
  }
}

ModuleHandle* ModuleHandle::of(Environment& environment, v8::Local<v8::Module> module) {
  const ModuleTable& table = ModuleTable::of(environment);
  const auto [begin, end] = table.handles_.equal_range(module->GetIdentityHash());
  for (auto at = begin; at != end; ++at) {
    if (at->second->module_ == module) return at->second;
  }
  return nullptr;
}

v8::Local<v8::Data> ModuleHandle::field(Field field) const {
  return object()->GetInternalField(field);
}

v8::Local<v8::Module> ModuleHandle::module() const {
  return field(kModule).As<v8::Module>();
}

v8::Local<v8::Context> ModuleHandle::context() const {
  return field(kContext).As<v8::Context>();
}

v8::Local<v8::Function> ModuleHandle::steps() const {
  return field(kSteps).As<v8::Value>().As<v8::Function>();
}

void ModuleHandle::set_steps(v8::Local<v8::Function> steps) {
  object()->SetInternalField(kSteps, steps);
}

v8::MaybeLocal<v8::Array> ModuleHandle::links() const {
  const v8::Local<v8::Value> links = field(kLinks).As<v8::Value>();
  return links->IsArray() ? links.As<v8::Array>() : v8::MaybeLocal<v8::Array>();
}

void ModuleHandle::set_links(v8::Local<v8::Array> handles) {
  object()->SetInternalField(kLinks, handles);
}

v8::MaybeLocal<v8::Object> ModuleHandle::source() const {
  const v8::Local<v8::Value> source = field(kSource).As<v8::Value>();
  return source->IsObject() ? source.As<v8::Object>() : v8::MaybeLocal<v8::Object>();
}

void ModuleHandle::set_source(v8::Local<v8::Object> source) {
  object()->SetInternalField(kSource, source);
}

ModuleTable::ModuleTable(Environment& environment, v8::Local<v8::Object> object)
    : Wrapped(environment, object) {
  v8::Isolate* isolate = environment.isolate();
  isolate->SetData(kSlot, this);
  const v8::Local<v8::ObjectTemplate> shape = v8::ObjectTemplate::New(isolate);
  shape->SetInternalFieldCount(ModuleHandle::kFields);
  shape_.Reset(isolate, shape);
  hold();
}

ModuleTable::~ModuleTable() {
  environment().isolate()->SetData(kSlot, nullptr);
}

ModuleTable& ModuleTable::of(Environment& environment) {
  v8::Isolate* isolate = environment.isolate();
  if (auto* table = static_cast<ModuleTable*>(isolate->GetData(kSlot))) return *table;
  const v8::HandleScope scope(isolate);
  // Owned by the environment, as everything wrapped.
  return *new ModuleTable(environment, environment.new_holder().ToLocalChecked());
}

}  // namespace rondo
