// Calls the functions of Node-API with good and bad arguments and reports what each call has
// returned.
#include "addon.h"

namespace {

napi_value lines;
uint32_t count;
napi_env at;

// The line of a call: the status, the text of the last error, and the exception that it has left.
void note(const char* call, napi_status status) {
  napi_env env = at;
  const napi_extended_error_info* info = nullptr;
  napi_get_last_error_info(env, &info);
  const char* message = info->error_message != nullptr ? info->error_message : "-";
  char line[1024];
  int written =
      snprintf(line, sizeof line, "%s -> %d (%d: %s)", call, status, info->error_code, message);
  bool pending = false;
  MUST(napi_is_exception_pending(env, &pending));
  if (pending) {
    napi_value exception;
    MUST(napi_get_and_clear_last_exception(env, &exception));
    napi_value shown;
    char name[300] = "?";
    if (napi_coerce_to_string(env, exception, &shown) == napi_ok) {
      MUST(napi_get_value_string_utf8(env, shown, name, sizeof name, nullptr));
    } else {
      MUST(napi_get_and_clear_last_exception(env, &exception));  // that of the conversion
    }
    snprintf(line + written, sizeof line - static_cast<size_t>(written), " threw %s", name);
  }
  MUST(napi_set_element(env, lines, count++, text(env, line)));
}

void note_number(const char* what, double number) {
  char line[200];
  snprintf(line, sizeof line, "%s: %g", what, number);
  napi_env env = at;
  MUST(napi_set_element(env, lines, count++, text(env, line)));
}

#define TRY(call) note(#call, call)

napi_value nothing(napi_env, napi_callback_info) {
  return nullptr;
}
void finalizer(napi_env, void*, void*) {}
void work(napi_env, void*) {}
void done(napi_env, napi_status, void*) {}

bool flag;
double real;
int32_t i32;
uint32_t u32;
int64_t i64;
uint64_t u64;
size_t length;
void* data;
char bytes[16];
char16_t units[16];
napi_valuetype type;
napi_value object, function, string, result;

void try_value(napi_env env, napi_value value, bool takes_properties) {
  TRY(napi_typeof(env, value, &type));
  note_number("type", type);
  if (napi_get_value_double(env, value, &real) == napi_ok) note_number("double", real);
  if (napi_get_value_int32(env, value, &i32) == napi_ok) note_number("int32", i32);
  if (napi_get_value_uint32(env, value, &u32) == napi_ok) note_number("uint32", u32);
  if (napi_get_value_int64(env, value, &i64) == napi_ok)
    note_number("int64", static_cast<double>(i64));
  TRY(napi_get_value_double(env, value, &real));
  TRY(napi_get_value_int32(env, value, &i32));
  TRY(napi_get_value_bool(env, value, &flag));
  TRY(napi_get_value_string_utf8(env, value, bytes, sizeof bytes, &length));
  TRY(napi_get_value_string_latin1(env, value, bytes, sizeof bytes, &length));
  TRY(napi_get_value_string_utf16(env, value, units, 16, &length));
  TRY(napi_get_value_external(env, value, &data));
  TRY(napi_get_value_bigint_int64(env, value, &i64, &flag));
  TRY(napi_get_value_bigint_uint64(env, value, &u64, &flag));
  TRY(napi_get_value_bigint_words(env, value, nullptr, &length, nullptr));
  TRY(napi_get_date_value(env, value, &real));
  TRY(napi_get_array_length(env, value, &u32));
  TRY(napi_get_prototype(env, value, &result));
  TRY(napi_coerce_to_bool(env, value, &result));
  TRY(napi_coerce_to_number(env, value, &result));
  TRY(napi_coerce_to_string(env, value, &result));
  TRY(napi_coerce_to_object(env, value, &result));
  TRY(napi_get_property(env, value, string, &result));
  TRY(napi_has_property(env, value, string, &flag));
  TRY(napi_has_own_property(env, value, string, &flag));
  TRY(napi_has_own_property(env, object, value, &flag));
  TRY(napi_get_property(env, object, value, &result));
  TRY(napi_get_named_property(env, value, "x", &result));
  TRY(napi_has_named_property(env, value, "x", &flag));
  TRY(napi_get_element(env, value, 1, &result));
  TRY(napi_has_element(env, value, 1, &flag));
  TRY(napi_delete_property(env, value, string, &flag));
  TRY(napi_delete_element(env, value, 1, nullptr));
  TRY(napi_get_property_names(env, value, &result));
  TRY(napi_call_function(env, object, value, 0, nullptr, &result));
  TRY(napi_call_function(env, value, function, 0, nullptr, &result));
  TRY(napi_new_instance(env, value, 0, nullptr, &result));
  TRY(napi_instanceof(env, object, value, &flag));
  TRY(napi_instanceof(env, value, function, &flag));
  TRY(napi_strict_equals(env, value, object, &flag));
  TRY(napi_create_error(env, value, string, &result));
  TRY(napi_create_error(env, string, value, &result));
  TRY(napi_create_symbol(env, value, &result));
  TRY(napi_throw(env, value));
  TRY(napi_is_error(env, value, &flag));
  TRY(napi_unwrap(env, value, &data));
  TRY(napi_remove_wrap(env, value, &data));
  TRY(napi_add_finalizer(env, value, &count, finalizer, nullptr, nullptr));
  const napi_type_tag tag = {1, 2};
  TRY(napi_check_object_type_tag(env, value, &tag, &flag));
  TRY(napi_type_tag_object(env, value, &tag));
  TRY(napi_type_tag_object(env, value, &tag));
  TRY(napi_check_object_type_tag(env, value, &tag, &flag));
  napi_ref reference;
  TRY(napi_create_reference(env, value, 1, &reference));
  TRY(napi_reference_ref(env, reference, &u32));
  TRY(napi_reference_unref(env, reference, &u32));
  TRY(napi_reference_unref(env, reference, &u32));
  TRY(napi_reference_unref(env, reference, &u32));
  TRY(napi_get_reference_value(env, reference, &result));
  note_number("is there", result != nullptr);
  TRY(napi_delete_reference(env, reference));
  TRY(napi_get_arraybuffer_info(env, value, &data, &length));
  TRY(napi_get_buffer_info(env, value, &data, &length));
  TRY(napi_detach_arraybuffer(env, value));
  TRY(napi_is_detached_arraybuffer(env, value, &flag));
  TRY(napi_create_typedarray(env, napi_int8_array, 1, value, 0, &result));
  TRY(napi_create_dataview(env, 1, value, 0, &result));
  TRY(napi_get_typedarray_info(env, value, nullptr, &length, &data, nullptr, nullptr));
  TRY(napi_get_dataview_info(env, value, &length, &data, nullptr, nullptr));
  TRY(napi_run_script(env, value, &result));
  TRY(napi_make_callback(env, nullptr, object, value, 0, nullptr, &result));
  TRY(napi_make_callback(env, nullptr, value, function, 0, nullptr, &result));
  napi_async_work made;
  TRY(napi_create_async_work(env, nullptr, value, work, done, nullptr, &made));
  TRY(napi_create_async_work(env, value, string, work, done, nullptr, &made));
  napi_async_context context;
  TRY(napi_async_init(env, nullptr, value, &context));
  TRY(napi_async_init(env, value, string, &context));
  if (!takes_properties) return;
  TRY(napi_set_property(env, value, string, string));
  TRY(napi_set_named_property(env, value, "x", string));
  TRY(napi_set_element(env, value, 1, string));
  TRY(napi_wrap(env, value, &count, nullptr, nullptr, nullptr));
  TRY(napi_wrap(env, value, &count, nullptr, nullptr, nullptr));
  TRY(napi_unwrap(env, value, &data));
  TRY(napi_remove_wrap(env, value, nullptr));
  TRY(napi_object_seal(env, value));
  TRY(napi_object_freeze(env, value));
  TRY(node_api_set_prototype(env, value, object));
}

void try_missing(napi_env env, napi_callback_info info) {
  const napi_value null = nullptr;
  TRY(napi_get_undefined(env, nullptr));
  TRY(napi_get_undefined(nullptr, &result));
  TRY(napi_create_object(env, nullptr));
  TRY(napi_create_array_with_length(env, 1, nullptr));
  TRY(napi_create_double(env, 1, nullptr));
  TRY(napi_create_string_utf8(env, nullptr, 1, &result));
  TRY(napi_create_string_utf8(env, nullptr, 0, &result));
  TRY(napi_create_string_utf8(env, "x", 1, nullptr));
  TRY(napi_create_string_utf8(env, "x", static_cast<size_t>(INT32_MAX) + 1, &result));
  TRY(napi_create_string_utf16(env, nullptr, 1, &result));
  TRY(node_api_create_property_key_utf8(env, "x", NAPI_AUTO_LENGTH, &result));
  TRY(node_api_create_property_key_latin1(env, "x", 1, nullptr));
  TRY(node_api_symbol_for(env, nullptr, 1, &result));
  TRY(napi_create_symbol(env, nullptr, &result));
  TRY(napi_create_function(env, nullptr, 0, nothing, nullptr, &result));
  TRY(napi_create_function(env, "f", 1, nullptr, nullptr, &result));
  TRY(napi_create_error(env, nullptr, nullptr, &result));
  TRY(node_api_create_syntax_error(env, string, string, &result));
  TRY(napi_typeof(env, null, &type));
  TRY(napi_get_value_double(env, null, &real));
  TRY(napi_get_value_string_utf8(env, string, nullptr, 0, nullptr));
  TRY(napi_get_value_string_utf8(env, string, nullptr, 0, &length));
  note_number("length", static_cast<double>(length));
  for (size_t room = 0; room < 14; ++room) {
    length = 99;
    TRY(napi_get_value_string_utf8(env, string, bytes, room, &length));
    note_number("length", static_cast<double>(length));
    TRY(napi_get_value_string_latin1(env, string, bytes, room, &length));
    note_number("length", static_cast<double>(length));
    TRY(napi_get_value_string_utf16(env, string, units, room, &length));
    note_number("length", static_cast<double>(length));
  }
  TRY(napi_coerce_to_string(env, null, &result));
  TRY(napi_get_prototype(env, object, nullptr));
  TRY(napi_set_property(env, object, null, string));
  TRY(napi_set_property(env, object, string, null));
  TRY(napi_set_named_property(env, object, nullptr, string));
  TRY(napi_get_named_property(env, object, nullptr, &result));
  TRY(napi_get_element(env, object, 0, nullptr));
  TRY(napi_get_all_property_names(env, object, napi_key_own_only, napi_key_all_properties,
                                  static_cast<napi_key_conversion>(9), &result));
  TRY(napi_get_all_property_names(env, object, static_cast<napi_key_collection_mode>(9),
                                  napi_key_all_properties, napi_key_keep_numbers, &result));
  TRY(napi_call_function(env, null, function, 0, nullptr, nullptr));
  TRY(napi_call_function(env, object, null, 0, nullptr, nullptr));
  TRY(napi_call_function(env, object, function, 1, nullptr, nullptr));
  TRY(napi_new_instance(env, null, 0, nullptr, &result));
  TRY(napi_new_instance(env, function, 1, nullptr, &result));
  TRY(napi_instanceof(env, null, function, &flag));
  TRY(napi_instanceof(env, object, null, &flag));
  TRY(napi_make_callback(env, nullptr, null, function, 0, nullptr, &result));
  TRY(napi_make_callback(env, nullptr, object, function, 1, nullptr, &result));
  TRY(napi_get_cb_info(env, nullptr, nullptr, nullptr, nullptr, nullptr));
  TRY(napi_get_new_target(env, info, nullptr));
  TRY(napi_get_new_target(env, info, &result));
  TRY(napi_define_properties(env, object, 1, nullptr));
  TRY(napi_define_properties(env, null, 0, nullptr));
  TRY(napi_define_class(env, nullptr, 0, nothing, nullptr, 0, nullptr, &result));
  TRY(napi_define_class(env, "C", 1, nullptr, nullptr, 0, nullptr, &result));
  TRY(napi_define_class(env, "C", 1, nothing, nullptr, 1, nullptr, &result));
  TRY(napi_define_class(env, "C", NAPI_AUTO_LENGTH, nothing, nullptr, 0, nullptr, &result));
  napi_ref reference;
  TRY(napi_wrap(env, object, &count, nullptr, nullptr, &reference));
  TRY(napi_wrap(env, object, &count, finalizer, nullptr, &reference));
  TRY(napi_remove_wrap(env, object, &data));
  TRY(napi_delete_reference(env, reference));
  TRY(napi_add_finalizer(env, object, &count, nullptr, nullptr, nullptr));
  TRY(napi_create_reference(env, null, 1, &reference));
  TRY(napi_delete_reference(env, nullptr));
  TRY(napi_reference_ref(env, nullptr, nullptr));
  TRY(napi_create_external(env, nullptr, nullptr, nullptr, nullptr));
  napi_escapable_handle_scope scope;
  TRY(napi_open_escapable_handle_scope(env, &scope));
  TRY(napi_escape_handle(env, scope, null, &result));
  TRY(napi_escape_handle(env, scope, object, &result));
  TRY(napi_escape_handle(env, scope, object, &result));
  TRY(napi_close_escapable_handle_scope(env, scope));
  TRY(napi_close_handle_scope(env, nullptr));
  TRY(napi_throw(env, null));
  TRY(napi_throw_error(env, nullptr, nullptr));
  TRY(napi_throw_error(env, "CODE", "message"));
  TRY(napi_throw_type_error(env, "CODE", "message"));
  TRY(napi_throw_range_error(env, nullptr, "message"));
  TRY(node_api_throw_syntax_error(env, nullptr, "message"));
  MUST(napi_throw_error(env, nullptr, "first"));
  TRY(napi_create_object(env, &result));
  MUST(napi_throw_error(env, nullptr, "first"));
  TRY(napi_get_named_property(env, object, "x", &result));
  MUST(napi_throw_error(env, nullptr, "first"));
  TRY(napi_throw_error(env, nullptr, "second"));
  TRY(napi_get_and_clear_last_exception(env, &result));
  TRY(napi_fatal_exception(env, nullptr));
  TRY(napi_get_version(env, nullptr));
  TRY(napi_get_instance_data(env, nullptr));
  TRY(napi_add_env_cleanup_hook(env, nullptr, nullptr));
  TRY(napi_create_async_work(env, nullptr, string, nullptr, done, nullptr, nullptr));
  TRY(napi_create_async_work(env, nullptr, nullptr, work, done, nullptr, nullptr));
  TRY(napi_queue_async_work(env, nullptr));
  TRY(napi_cancel_async_work(env, nullptr));
  TRY(napi_delete_async_work(env, nullptr));
  napi_threadsafe_function callee;
  TRY(napi_create_threadsafe_function(env, nullptr, nullptr, string, 0, 1, nullptr, nullptr,
                                      nullptr, nullptr, &callee));
  TRY(napi_create_threadsafe_function(env, object, nullptr, string, 0, 1, nullptr, nullptr, nullptr,
                                      nullptr, &callee));
  TRY(napi_create_threadsafe_function(env, function, nullptr, string, 0, 0, nullptr, nullptr,
                                      nullptr, nullptr, &callee));
  TRY(napi_async_destroy(env, nullptr));
  TRY(napi_open_callback_scope(env, object, nullptr, nullptr));
  TRY(napi_close_callback_scope(env, nullptr));
}

void try_throwing(napi_env env, const Arguments& args) {
  const napi_value thrower = args.values[0];
  const napi_value proxy = args.values[1];
  const napi_value throws = args.values[2];
  const napi_value frozen = args.values[3];
  TRY(napi_coerce_to_string(env, thrower, &result));
  TRY(napi_coerce_to_number(env, thrower, &result));
  TRY(napi_call_function(env, object, throws, 0, nullptr, &result));
  TRY(napi_new_instance(env, throws, 0, nullptr, &result));
  TRY(napi_make_callback(env, nullptr, object, throws, 0, nullptr, &result));
  TRY(napi_set_property(env, frozen, string, string));
  TRY(napi_delete_property(env, frozen, text(env, "kept"), &flag));
  TRY(node_api_set_prototype(env, frozen, object));
  TRY(node_api_set_prototype(env, proxy, object));
  TRY(napi_get_prototype(env, proxy, &result));
  napi_property_descriptor descriptor = {};
  descriptor.utf8name = "name";
  descriptor.value = string;
  TRY(napi_define_properties(env, frozen, 1, &descriptor));
  TRY(napi_define_properties(env, proxy, 1, &descriptor));
  descriptor.getter = nothing;
  TRY(napi_define_properties(env, frozen, 1, &descriptor));
  TRY(napi_define_properties(env, proxy, 1, &descriptor));
  TRY(napi_instanceof(env, object, proxy, &flag));
  TRY(napi_run_script(env, text(env, "1 +"), &result));
  TRY(napi_run_script(env, text(env, "throw new RangeError('no')"), &result));
  TRY(napi_run_script(env, text(env, "6 * 7"), &result));
}

void try_memory(napi_env env) {
  napi_value buffer;
  TRY(napi_create_arraybuffer(env, 8, &data, &buffer));
  TRY(napi_create_typedarray(env, napi_int16_array, 1, buffer, 1, &result));
  TRY(napi_create_typedarray(env, napi_int16_array, 5, buffer, 0, &result));
  TRY(napi_create_typedarray(env, napi_float64_array, 1, buffer, 8, &result));
  TRY(napi_create_typedarray(env, napi_float16_array, 2, buffer, 4, &result));
  TRY(napi_create_typedarray(env, napi_biguint64_array, 1, buffer, 4, &result));
  TRY(napi_create_typedarray(env, static_cast<napi_typedarray_type>(77), 1, buffer, 0, &result));
  TRY(napi_create_dataview(env, 9, buffer, 0, &result));
  TRY(napi_create_dataview(env, 4, buffer, 4, &result));
  TRY(node_api_create_buffer_from_arraybuffer(env, buffer, 4, 5, &result));
  TRY(node_api_create_buffer_from_arraybuffer(env, buffer, 4, 4, &result));
  TRY(napi_get_buffer_info(env, result, &data, &length));
  TRY(napi_detach_arraybuffer(env, buffer));
  TRY(napi_detach_arraybuffer(env, buffer));
  TRY(napi_create_buffer(env, 4, nullptr, nullptr));
  TRY(napi_create_buffer_copy(env, 4, "abcd", &data, &result));
  TRY(napi_create_external_buffer(env, 4, bytes, nullptr, nullptr, &result));
  TRY(node_api_create_sharedarraybuffer(env, 4, &data, &result));
  TRY(node_api_is_sharedarraybuffer(env, result, &flag));
  TRY(napi_create_typedarray(env, napi_uint8_array, 4, result, 0, &result));
  const uint64_t words[] = {1, 2, 3};
  TRY(napi_create_bigint_words(env, 1, 3, words, &result));
  TRY(napi_create_bigint_words(env, 0, SIZE_MAX, words, &result));
  TRY(napi_create_bigint_words(env, 0, 1, nullptr, &result));
  TRY(napi_create_date(env, 1e300, &result));
  napi_deferred deferred;
  TRY(napi_create_promise(env, nullptr, &result));
  TRY(napi_create_promise(env, &deferred, &result));
  TRY(napi_resolve_deferred(env, deferred, nullptr));
  TRY(napi_resolve_deferred(env, deferred, string));
  TRY(node_api_create_object_with_properties(env, nullptr, nullptr, nullptr, 0, &result));
  TRY(napi_adjust_external_memory(env, 100, nullptr));
  const napi_node_version* version;
  TRY(napi_get_node_version(env, &version));
  note_number(version->release, version->major);
  TRY(napi_get_version(env, &u32));
  note_number("version", u32);
}

napi_value run(napi_env env, napi_callback_info info) {
  at = env;
  count = 0;
  const Arguments args(env, info);
  MUST(napi_create_array(env, &lines));
  napi_value undefined, null, truth, number, array, symbol, external, bigint, date;
  MUST(napi_get_undefined(env, &undefined));
  MUST(napi_get_null(env, &null));
  MUST(napi_get_boolean(env, true, &truth));
  MUST(napi_create_double(env, 4294967297.5, &number));
  MUST(napi_create_object(env, &object));
  MUST(napi_create_array_with_length(env, 3, &array));
  string = text(env, "h\xc3\xa4llo \xe2\x82\xac");
  MUST(napi_create_symbol(env, string, &symbol));
  MUST(napi_create_function(env, "f", 1, nothing, nullptr, &function));
  MUST(napi_create_external(env, &count, nullptr, nullptr, &external));
  MUST(napi_create_bigint_int64(env, -5, &bigint));
  MUST(napi_create_date(env, 1000, &date));
  try_missing(env, info);
  try_throwing(env, args);
  try_memory(env);
  try_value(env, external, false);  // V8 dies of properties of those
  const napi_value all[] = {undefined, null, truth,          number, string,   symbol,
                            bigint,    date, args.values[1], array,  function, object};
  for (const napi_value value : all) try_value(env, value, true);
  return lines;
}

}  // namespace

ADDON(10) {
  add(env, exports, "run", run);
  return exports;
}
