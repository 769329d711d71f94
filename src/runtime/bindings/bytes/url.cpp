// URLs, by ada: the text of one, and where its components are in it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/bytes/engine_ada.h"
#include "runtime/bytes/utf8.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/glue/typed_method.h"

namespace rondo {
namespace {

using v8::Local;

/// What lib/ gets, in this order.
enum class UrlComponent : std::uint8_t {
  protocol_end,
  username_end,
  host_start,
  host_end,
  port,
  pathname_start,
  search_start,
  hash_start,
  scheme_type,
  kCount,
};

/// Of which kind a URL is, as ada has it.
enum class UrlScheme : std::uint8_t { http, not_special, https, ws, ftp, wss, file };

/// The setters of the class URL.
enum class UrlAction : std::uint8_t {
  protocol,
  username,
  password,
  host,
  hostname,
  port,
  pathname,
  search,
  hash,
};

/// A string in UTF-8, lone surrogates replaced. A short one needs no memory of its own.
class Text {
 public:
  Text(v8::Isolate* isolate, Local<v8::Value> value) {
    const auto text = value.As<v8::String>();
    if (copy_ascii(isolate, text)) return;
    // A UTF-16 unit takes at most three bytes.
    const std::size_t most = static_cast<std::size_t>(text->Length()) * 3;
    char* const out = reserve(most);
    view_ = {out,
             text->WriteUtf8V2(isolate, out, most, v8::String::WriteFlags::kReplaceInvalidUtf8)};
  }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  std::string_view view() const noexcept { return view_; }

 private:
  /// Nearly all URLs are ASCII: nothing to convert.
  bool copy_ascii(v8::Isolate* isolate, Local<v8::String> text) {
    const v8::String::ValueView characters(isolate, text);
    if (!characters.is_one_byte()) return false;
    const Bytes bytes(characters.data8(), characters.length());
    if (!is_ascii(bytes)) return false;
    char* const out = reserve(bytes.size());
    std::ranges::copy(bytes, out);
    view_ = {out, bytes.size()};
    return true;
  }

  char* reserve(std::size_t size) {
    if (size <= small_.size()) return small_.data();
    large_ = std::make_unique_for_overwrite<char[]>(size);
    return large_.get();
  }

  std::array<char, 1024> small_;
  std::unique_ptr<char[]> large_;
  std::string_view view_;
};

struct Free {
  void operator()(void* url) const { ada_free(url); }
};
using Url = std::unique_ptr<void, Free>;

Url parse_text(std::string_view text) {
  return Url(ada_parse(text.data(), text.size()));
}

using Result = v8::MaybeLocal<v8::String>;

/// Returns the text and fills the components, an ArrayBuffer with room for them.
Result to_text(v8::Isolate* isolate, const Url& url, Local<v8::ArrayBuffer> components) {
  const ada_url_components* found = ada_get_components(url.get());
  auto* const out = static_cast<std::uint32_t*>(components->Data());
  const auto put = [out](UrlComponent which, std::uint32_t value) {
    out[static_cast<std::size_t>(which)] = value;
  };
  using enum UrlComponent;
  put(protocol_end, found->protocol_end);
  put(username_end, found->username_end);
  put(host_start, found->host_start);
  put(host_end, found->host_end);
  put(port, found->port);
  put(pathname_start, found->pathname_start);
  put(search_start, found->search_start);
  put(hash_start, found->hash_start);
  put(scheme_type, ada_get_scheme_type(url.get()));

  const ada_string href = ada_get_href(url.get());
  if (href.length > static_cast<std::size_t>(v8::String::kMaxLength)) return {};
  // It is ASCII.
  return v8::String::NewFromOneByte(isolate, reinterpret_cast<const std::uint8_t*>(href.data),
                                    v8::NewStringType::kNormal, static_cast<int>(href.length));
}

/// The text of the URL; undefined if it is none.
Result parse(v8::Isolate* isolate, const Text& text, Local<v8::Value> base_or_undefined,
             Local<v8::ArrayBuffer> components) {
  Url url;
  if (base_or_undefined->IsUndefined()) {
    url = parse_text(text.view());
  } else {
    const Text base(isolate, base_or_undefined);
    url.reset(ada_parse_with_base(text.view().data(), text.view().size(), base.view().data(),
                                  base.view().size()));
  }
  if (!ada_is_valid(url.get())) return {};
  return to_text(isolate, url, components);
}

bool set(ada_url url, UrlAction action, std::string_view value) {
  const auto by = [&](auto setter) { return setter(url, value.data(), value.size()); };
  switch (action) {
    case UrlAction::protocol:
      return by(ada_set_protocol);
    case UrlAction::username:
      return by(ada_set_username);
    case UrlAction::password:
      return by(ada_set_password);
    case UrlAction::host:
      return by(ada_set_host);
    case UrlAction::hostname:
      return by(ada_set_hostname);
    case UrlAction::port:
      return by(ada_set_port);
    case UrlAction::pathname:
      return by(ada_set_pathname);
    case UrlAction::search:
      by(ada_set_search);
      return true;
    case UrlAction::hash:
      by(ada_set_hash);
      return true;
  }
  return false;
}

/// The text of the URL now; undefined if it has not changed.
Result change(v8::Isolate* isolate, const Text& text, UrlAction action, const Text& value,
              Local<v8::ArrayBuffer> components) {
  const Url url = parse_text(text.view());
  if (!ada_is_valid(url.get()) || !set(url.get(), action, value.view())) return {};
  return to_text(isolate, url, components);
}

constexpr Method kMethods[] = {method<parse>("parse"), method<change>("change")};

}  // namespace

extern const Binding binding_url;
const Binding binding_url{"url", kMethods};

}  // namespace rondo
