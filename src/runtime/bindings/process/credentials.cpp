// Who the process is: its user and groups.
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "runtime/engine/environment.h"
#include "runtime/glue/typed_method.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

constexpr std::uint32_t kOk = 0;

template <auto kCall>
std::uint32_t get_id() {
  return kCall();
}

std::string text_of(v8::Isolate* isolate, Local<Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  return *text != nullptr ? *text : "";
}

// "EPERM, Operation not permitted", with the errno as it is: older than Node's other errors.
void throw_errno(Environment& environment, int error_number, std::string_view syscall) {
  const std::string name = ::strerrorname_np(error_number);
  const auto error =
      v8::Exception::Error(environment.text(name + ", " + ::strerrordesc_np(error_number)))
          .As<v8::Object>();
  set_value(environment, error, "errno", error_number);
  set_value(environment, error, "code", environment.text(name));
  set_value(environment, error, "syscall", environment.text(syscall));
  environment.isolate()->ThrowException(error);
}

// Both databases are read the same way: with a buffer that grows until the entry fits.
template <class Entry, class Read>
std::optional<Entry> look_up(Read read, std::vector<char>& buffer) {
  Entry entry{};
  Entry* found = nullptr;
  buffer.resize(4096);
  while (read(&entry, buffer.data(), buffer.size(), &found) == ERANGE) {
    buffer.resize(buffer.size() * 2);
  }
  return found != nullptr ? std::optional(entry) : std::nullopt;
}

std::optional<uid_t> user_id(v8::Isolate* isolate, Local<Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  const std::string name = text_of(isolate, value);
  std::vector<char> buffer;
  const auto entry =
      look_up<passwd>([&](auto... rest) { return ::getpwnam_r(name.c_str(), rest...); }, buffer);
  return entry ? std::optional(entry->pw_uid) : std::nullopt;
}

std::optional<gid_t> group_id(v8::Isolate* isolate, Local<Value> value) {
  if (value->IsUint32()) return value.As<v8::Uint32>()->Value();
  const std::string name = text_of(isolate, value);
  std::vector<char> buffer;
  const auto entry =
      look_up<group>([&](auto... rest) { return ::getgrnam_r(name.c_str(), rest...); }, buffer);
  return entry ? std::optional(entry->gr_gid) : std::nullopt;
}

// initgroups() wants a name.
std::optional<std::string> user_name(v8::Isolate* isolate, Local<Value> value) {
  if (!value->IsUint32()) return text_of(isolate, value);
  std::vector<char> buffer;
  const auto entry = look_up<passwd>(
      [&](auto... rest) { return ::getpwuid_r(value.As<v8::Uint32>()->Value(), rest...); }, buffer);
  return entry ? std::optional<std::string>(entry->pw_name) : std::nullopt;
}

/// What the setters return: kOk, the number of the unknown argument, or nothing after an exception.
using Outcome = std::optional<std::uint32_t>;

Outcome outcome_of(Environment& environment, int result, std::string_view syscall) {
  if (result == 0) return kOk;
  throw_errno(environment, errno, syscall);
  return {};
}

template <class Id>
Outcome change(Environment& environment, const std::optional<Id>& id, int (*call)(Id),
               std::string_view syscall) {
  return id ? outcome_of(environment, call(*id), syscall) : Outcome(1);
}

Outcome setuid(Environment& environment, Local<Value> user) {
  return change(environment, user_id(environment.isolate(), user), ::setuid, "setuid");
}

Outcome seteuid(Environment& environment, Local<Value> user) {
  return change(environment, user_id(environment.isolate(), user), ::seteuid, "seteuid");
}

Outcome setgid(Environment& environment, Local<Value> group) {
  return change(environment, group_id(environment.isolate(), group), ::setgid, "setgid");
}

Outcome setegid(Environment& environment, Local<Value> group) {
  return change(environment, group_id(environment.isolate(), group), ::setegid, "setegid");
}

std::optional<std::vector<Local<Value>>> getgroups(Environment& environment) {
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
  if (count < 0 || ::getgroups(count, groups.data()) < 0) {
    throw_errno(environment, errno, "getgroups");
    return {};
  }
  // The list need not have the group itself.
  const gid_t own = ::getegid();
  if (std::ranges::find(groups, own) == groups.end()) groups.push_back(own);
  std::vector<Local<Value>> list;
  for (const gid_t id : groups) {
    list.push_back(v8::Integer::NewFromUnsigned(environment.isolate(), id));
  }
  return list;
}

Outcome setgroups(Environment& environment, Local<v8::Array> list) {
  v8::Isolate* isolate = environment.isolate();
  std::vector<gid_t> groups;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> value;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&value)) return {};
    const std::optional<gid_t> id = group_id(isolate, value);
    if (!id) return i + 1;
    groups.push_back(*id);
  }
  return outcome_of(environment, ::setgroups(groups.size(), groups.data()), "setgroups");
}

/// (user, group that is added)
Outcome initgroups(Environment& environment, Local<Value> user, Local<Value> group) {
  const std::optional<std::string> name = user_name(environment.isolate(), user);
  if (!name) return 1;
  const std::optional<gid_t> id = group_id(environment.isolate(), group);
  if (!id) return 2;
  return outcome_of(environment, ::initgroups(name->c_str(), *id), "initgroups");
}

constexpr Method kMethods[] = {
    method<get_id<::getuid>>("getuid"), method<get_id<::geteuid>>("geteuid"),
    method<get_id<::getgid>>("getgid"), method<get_id<::getegid>>("getegid"),
    method<getgroups>("getgroups"),     method<initgroups>("initgroups"),
    method<setegid>("setegid"),         method<seteuid>("seteuid"),
    method<setgid>("setgid"),           method<setuid>("setuid"),
    method<setgroups>("setgroups"),
};

}  // namespace

extern const Binding binding_credentials;
const Binding binding_credentials{"credentials", kMethods};

}  // namespace rondo
