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
#include "runtime/glue/binding.h"

namespace rondo {
namespace {

using v8::Local;
using v8::Value;

// What the setters return to lib/ for an unknown name: which of their arguments it was, from 1.
constexpr int kOk = 0;

template <auto kCall>
void get_id(const Arguments& args) {
  args.GetReturnValue().Set(static_cast<std::uint32_t>(kCall()));
}

std::string text_of(v8::Isolate* isolate, Local<Value> value) {
  const v8::String::Utf8Value text(isolate, value);
  return *text != nullptr ? *text : "";
}

// "EPERM, Operation not permitted", with the errno as it is: older than Node's other errors.
void throw_errno(const Arguments& args, int error_number, std::string_view syscall) {
  Environment& environment = Environment::of(args.GetIsolate());
  const std::string name = ::strerrorname_np(error_number);
  const auto error =
      v8::Exception::Error(environment.text(name + ", " + ::strerrordesc_np(error_number)))
          .As<v8::Object>();
  set_value(environment, error, "errno", error_number);
  set_value(environment, error, "code", environment.text(name));
  set_value(environment, error, "syscall", environment.text(syscall));
  args.GetIsolate()->ThrowException(error);
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

template <class Id>
void change(const Arguments& args, const std::optional<Id>& id, int (*call)(Id),
            std::string_view syscall) {
  if (!id) {
    args.GetReturnValue().Set(1);
  } else if (call(*id) != 0) {
    throw_errno(args, errno, syscall);
  } else {
    args.GetReturnValue().Set(kOk);
  }
}

void setuid(const Arguments& args) {
  change(args, user_id(args.GetIsolate(), args[0]), ::setuid, "setuid");
}

void seteuid(const Arguments& args) {
  change(args, user_id(args.GetIsolate(), args[0]), ::seteuid, "seteuid");
}

void setgid(const Arguments& args) {
  change(args, group_id(args.GetIsolate(), args[0]), ::setgid, "setgid");
}

void setegid(const Arguments& args) {
  change(args, group_id(args.GetIsolate(), args[0]), ::setegid, "setegid");
}

void getgroups(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const int count = ::getgroups(0, nullptr);
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(count, 0)));
  if (count < 0 || ::getgroups(count, groups.data()) < 0) {
    return throw_errno(args, errno, "getgroups");
  }
  // The list need not have the group itself.
  const gid_t own = ::getegid();
  if (std::ranges::find(groups, own) == groups.end()) groups.push_back(own);
  std::vector<Local<Value>> list;
  for (const gid_t id : groups) list.push_back(v8::Integer::NewFromUnsigned(isolate, id));
  args.GetReturnValue().Set(v8::Array::New(isolate, list.data(), list.size()));
}

void setgroups(const Arguments& args) {
  v8::Isolate* isolate = args.GetIsolate();
  const auto list = args[0].As<v8::Array>();
  std::vector<gid_t> groups;
  for (std::uint32_t i = 0; i < list->Length(); ++i) {
    Local<Value> value;
    if (!list->Get(isolate->GetCurrentContext(), i).ToLocal(&value)) return;
    const std::optional<gid_t> id = group_id(isolate, value);
    if (!id) return args.GetReturnValue().Set(i + 1);
    groups.push_back(*id);
  }
  if (::setgroups(groups.size(), groups.data()) != 0) return throw_errno(args, errno, "setgroups");
  args.GetReturnValue().Set(kOk);
}

// (user, group that is added)
void initgroups(const Arguments& args) {
  const std::optional<std::string> user = user_name(args.GetIsolate(), args[0]);
  if (!user) return args.GetReturnValue().Set(1);
  const std::optional<gid_t> id = group_id(args.GetIsolate(), args[1]);
  if (!id) return args.GetReturnValue().Set(2);
  if (::initgroups(user->c_str(), *id) != 0) return throw_errno(args, errno, "initgroups");
  args.GetReturnValue().Set(kOk);
}

constexpr Method kMethods[] = {
    {"getuid", get_id<::getuid>}, {"geteuid", get_id<::geteuid>},
    {"getgid", get_id<::getgid>}, {"getegid", get_id<::getegid>},
    {"getgroups", getgroups},     {"initgroups", initgroups},
    {"setegid", setegid},         {"seteuid", seteuid},
    {"setgid", setgid},           {"setuid", setuid},
    {"setgroups", setgroups},
};

}  // namespace

extern const Binding binding_credentials;
const Binding binding_credentials{"credentials", kMethods};

}  // namespace rondo
