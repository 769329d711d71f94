// OpenSSL's start, at the first use of the binding.
#pragma once

#include <cstdint>
#include <string>

namespace rondo::crypto {

/// Its options on the command line.
struct OpenSslOptions {
  std::string config;  // a file; empty for that of OPENSSL_CONF, or the built-in place
  bool shared_config = false;
  bool legacy_provider = false;
  std::uint64_t secure_heap = 0;
  std::uint64_t secure_heap_min = 0;
};

/// Before the first use.
void set_openssl_options(OpenSslOptions options);

/// Once in a process, on any thread.
void initialise_openssl();

/// Whether the provider is there, and passes its own tests.
bool has_fips_provider();
/// False if it is on, or off, in spite of this.
bool set_fips(bool enabled);

}  // namespace rondo::crypto
