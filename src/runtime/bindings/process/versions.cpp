// The versions of what the runtime is made of, for process.versions, and what it was made for.
#include <ares_version.h>
#include <openssl/opensslv.h>
#include <sqlite3.h>
#include <zlib.h>

#include <string>

#include "runtime/bytes/engine_icu.h"
#include "runtime/compression/engine_brotli.h"
#include "runtime/compression/engine_zstd.h"
#include "runtime/engine/environment.h"
#include "runtime/glue/binding.h"
#include "runtime/process/node_version.h"

namespace rondo {
namespace {

using v8::Local;

// Node's names of the processors.
#if defined(__x86_64__)
constexpr std::string_view kArch = "x64";
#elif defined(__aarch64__)
constexpr std::string_view kArch = "arm64";
#else
#error "no name for this processor yet"
#endif

std::string to_text(const IcuVersion& numbers) {
  return std::to_string(numbers[0]) + "." + std::to_string(numbers[1]);
}

std::string cldr_version() {
  IcuVersion numbers{};
  UErrorCode status = kIcuNoError;
  ulocdata_getCLDRVersion_78(numbers, &status);
  return icu_failed(status) ? "" : to_text(numbers);
}

std::string icu_version() {
  IcuVersion numbers{};
  u_getVersion_78(numbers);
  return to_text(numbers);
}

std::string unicode_version() {
  IcuVersion numbers{};
  u_getUnicodeVersion_78(numbers);
  return to_text(numbers);
}

std::string time_zones_version() {
  UErrorCode status = kIcuNoError;
  const char* version = ucal_getTZDataVersion_78(&status);
  return icu_failed(status) ? "" : version;
}

std::string brotli_version() {
  const std::uint32_t version = BrotliEncoderVersion();
  return std::to_string(version >> 24) + "." + std::to_string((version >> 12) & 0xfff) + "." +
         std::to_string(version & 0xfff);
}

void extend(Environment& environment, Local<v8::Object> target) {
  const auto set = [&](std::string_view name, std::string_view version) {
    set_value(environment, target, name, environment.text(version));
  };
  set("arch", kArch);
  set("ares", ARES_VERSION_STR);
  set("brotli", brotli_version());
  set("cldr", cldr_version());
  set("icu", icu_version());
  set("node", kNodeVersion);
  set("uv", kUvVersion);
  set("openssl", OPENSSL_FULL_VERSION_STR);
  set("sqlite", sqlite3_libversion());
  set("tz", time_zones_version());
  set("unicode", unicode_version());
  set("rondo", RONDO_VERSION);
  set("v8", v8::V8::GetVersion());
  set("zlib", zlibVersion());
  set("zstd", ZSTD_versionString());
}

}  // namespace

extern const Binding binding_versions;
const Binding binding_versions{"versions", {}, extend};

}  // namespace rondo
