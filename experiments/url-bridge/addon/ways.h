// The ways of a parsed URL to JavaScript. Each takes a string; what is no URL gives undefined.
#pragma once

#include <node_api.h>

namespace url_bridge {

/** An object with ten properties. */
napi_value parse_to_object(napi_env env, napi_callback_info info);

/** An array of ten strings. */
napi_value parse_to_array(napi_env env, napi_callback_info info);

/** What the callback, the second argument, returns for ten strings. */
napi_value parse_to_callback(napi_env env, napi_callback_info info);

/** The href; the offsets of its components are in the shared array afterwards. */
napi_value parse_to_offsets(napi_env env, napi_callback_info info);

/** The href alone. */
napi_value parse_to_href(napi_env env, napi_callback_info info);

/** The length of the href, of which nothing else leaves C++. */
napi_value parse_only(napi_env env, napi_callback_info info);

/** The length of the input in bytes, which is not parsed. */
napi_value cross_only(napi_env env, napi_callback_info info);

}  // namespace url_bridge
