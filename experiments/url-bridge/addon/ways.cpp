#include "ways.h"

#include "bridge.h"

namespace url_bridge {
namespace {

using Parts = std::array<napi_value, PART_NAMES.size()>;

/** Ten strings, in the order of PART_NAMES. */
Parts make_parts(napi_env env, const ada::url_aggregator& url) {
  return {make_string(env, url.get_href()),     make_string(env, url.get_origin()),
          make_string(env, url.get_protocol()), make_string(env, url.get_hostname()),
          make_string(env, url.get_pathname()), make_string(env, url.get_search()),
          make_string(env, url.get_username()), make_string(env, url.get_password()),
          make_string(env, url.get_port()),     make_string(env, url.get_hash())};
}

napi_value make_length(napi_env env, size_t length) {
  napi_value made = nullptr;
  require(napi_create_uint32(env, static_cast<uint32_t>(length), &made));
  return made;
}

/** A missing part is empty and located where it would be, so every offset is within the href. */
void write_offsets(uint32_t* offsets, const ada::url_aggregator& url) {
  constexpr uint32_t omitted = ada::url_components::omitted;
  const ada::url_components& components = url.get_components();
  const auto length = static_cast<uint32_t>(url.get_href().size());
  const uint32_t hash = components.hash_start == omitted ? length : components.hash_start;
  const uint32_t search = components.search_start == omitted ? hash : components.search_start;
  const uint32_t path = components.pathname_start;
  offsets[0] = components.protocol_end;
  offsets[1] = components.username_end;
  offsets[2] = components.host_start;
  offsets[3] = components.host_end;
  offsets[4] = components.port == omitted ? path : components.host_end + 1;
  offsets[5] = path;
  offsets[6] = search;
  offsets[7] = hash;
  offsets[8] = url.type;
}

}  // namespace

napi_value parse_to_object(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  if (!url) return nullptr;
  const Parts parts = make_parts(env, *url);
  // One call that defines all properties is the fastest way of Node-API: faster than a call for
  // each, by name or by a cached key.
  std::array<napi_property_descriptor, PART_NAMES.size()> properties{};
  for (size_t index = 0; index < parts.size(); index++) {
    properties[index].utf8name = PART_NAMES[index];
    properties[index].value = parts[index];
    properties[index].attributes = napi_default_jsproperty;
  }
  napi_value object = nullptr;
  require(napi_create_object(env, &object));
  require(napi_define_properties(env, object, properties.size(), properties.data()));
  return object;
}

napi_value parse_to_array(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  if (!url) return nullptr;
  const Parts parts = make_parts(env, *url);
  napi_value array = nullptr;
  require(napi_create_array_with_length(env, parts.size(), &array));
  for (uint32_t index = 0; index < parts.size(); index++) {
    require(napi_set_element(env, array, index, parts[index]));
  }
  return array;
}

napi_value parse_to_callback(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  if (!url) return nullptr;
  const Parts parts = make_parts(env, *url);
  napi_value receiver = nullptr;
  napi_value result = nullptr;
  require(napi_get_undefined(env, &receiver));
  const auto status =
      napi_call_function(env, receiver, call.callback, parts.size(), parts.data(), &result);
  // An exception of the callback stays pending and is thrown in the JavaScript caller.
  return status == napi_ok ? result : nullptr;
}

napi_value parse_to_offsets(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  if (!url) return nullptr;
  write_offsets(call.bridge->offsets, *url);
  return make_string(env, url->get_href());
}

napi_value parse_to_href(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  return url ? make_string(env, url->get_href()) : nullptr;
}

napi_value parse_only(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  const auto url = parse_text(text);
  return url ? make_length(env, url->get_href().size()) : nullptr;
}

napi_value cross_only(napi_env env, napi_callback_info info) {
  const Call call = take_call(env, info);
  InputText text;
  if (!text.read(call)) return nullptr;
  return make_length(env, text.view().size());
}

}  // namespace url_bridge
