// The versions of what the runtime is made of, for process.versions, and what it was made for.
#include <ares_version.h>
#include <unicode/ucal.h>
#include <unicode/ulocdata.h>
#include <unicode/uversion.h>

#include <string>

#include "runtime/binding.h"
#include "runtime/environment.h"

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

std::string cldr_version() {
  UVersionInfo numbers{};
  UErrorCode status = U_ZERO_ERROR;
  ulocdata_getCLDRVersion(numbers, &status);
  return U_SUCCESS(status) ? std::to_string(numbers[0]) + "." + std::to_string(numbers[1]) : "";
}

std::string time_zones_version() {
  UErrorCode status = U_ZERO_ERROR;
  const char* version = ucal_getTZDataVersion(&status);
  return U_SUCCESS(status) ? version : "";
}

void extend(Environment& environment, Local<v8::Object> target) {
  const auto set = [&](std::string_view name, std::string_view version) {
    set_value(environment, target, name, environment.text(version));
  };
  set("arch", kArch);
  set("ares", ARES_VERSION_STR);
  set("cldr", cldr_version());
  set("icu", U_ICU_VERSION);
  set("tz", time_zones_version());
  set("unicode", U_UNICODE_VERSION);
  set("rondo", RONDO_VERSION);
  set("v8", v8::V8::GetVersion());
}

}  // namespace

extern const Binding binding_versions;
const Binding binding_versions{"versions", {}, extend};

}  // namespace rondo
