// OpenSSL's start, at the first use of the binding.
#pragma once

namespace rondo::crypto {

/// Once in a process, on any thread.
void initialise_openssl();

}  // namespace rondo::crypto
