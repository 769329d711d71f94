// What V8 wants to know of a C++ function that optimised JavaScript calls directly. The package of
// the engine lacks the header for it, so its types are declared here, laid out as V8 14.6 reads
// them. A layout that does not match is not an error: V8 would silently keep calling the slow
// version. tests/runtime/fast_call_test.cpp proves that the fast one is called.
#pragma once

#include <v8.h>

#include <cstdint>

namespace v8 {

struct CTypeInfo {
  enum class Type : std::uint8_t {
    kVoid,
    kBool,
    kUint8,
    kInt32,
    kUint32,
    kInt64,
    kUint64,
    kFloat32,
    kFloat64,
    kPointer,
    kV8Value,
    kSeqOneByteString,
  };
  Type type;
  std::uint8_t flags = 0;
};

/// A string in one piece of 8-bit characters. Of another string optimised JavaScript calls the slow
/// version.
struct FastOneByteString {
  const char* data;
  std::uint32_t length;
};

class CFunctionInfo {
 public:
  constexpr CFunctionInfo(CTypeInfo result, unsigned count, const CTypeInfo* parameters)
      : result_(result), count_(count), parameters_(parameters) {}

  CTypeInfo result_;
  std::uint8_t int64_as_bigint_ = 0;
  unsigned count_;  // with the receiver
  const CTypeInfo* parameters_;
};
static_assert(sizeof(CFunctionInfo) == 16);

class CFunction {
 public:
  constexpr CFunction(const void* address, const CFunctionInfo* info)
      : address_(address), info_(info) {}
  const void* address() const { return address_; }
  const CFunctionInfo* info() const { return info_; }

 private:
  const void* address_;
  const CFunctionInfo* info_;
};

}  // namespace v8

namespace rondo {

namespace detail {

template <class T>
inline constexpr v8::CTypeInfo::Type kFastType = [] {
  using enum v8::CTypeInfo::Type;
  if constexpr (std::is_void_v<T>)
    return kVoid;
  else if constexpr (std::is_same_v<T, bool>)
    return kBool;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return kInt32;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return kUint32;
  else if constexpr (std::is_same_v<T, double>)
    return kFloat64;
  else if constexpr (std::is_same_v<T, const v8::FastOneByteString&>)
    return kSeqOneByteString;
  else if constexpr (std::is_convertible_v<T, v8::Local<v8::Value>>)
    return kV8Value;
  else
    static_assert(sizeof(T) == 0, "not a type of fast calls");
}();

}  // namespace detail

/// Of a function whose first parameter is the receiver.
template <class Result, class... Parameters>
v8::CFunction fast_call_of(Result (*function)(Parameters...)) {
  static constexpr v8::CTypeInfo kParameters[] = {{detail::kFastType<Parameters>}...};
  static constexpr v8::CFunctionInfo kInfo({detail::kFastType<Result>}, sizeof...(Parameters),
                                           kParameters);
  return {reinterpret_cast<const void*>(function), &kInfo};
}

}  // namespace rondo
