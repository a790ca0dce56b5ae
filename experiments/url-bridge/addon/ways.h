// Ways to return a parsed URL to JavaScript. Each takes a string and returns undefined if it is not
// a valid URL.
#pragma once

#include <node_api.h>

namespace url_bridge {

/** An object with ten properties. */
napi_value parse_to_object(napi_env env, napi_callback_info info);

/** An array of ten strings. */
napi_value parse_to_array(napi_env env, napi_callback_info info);

/** The result of the callback, the second argument, for ten strings. */
napi_value parse_to_callback(napi_env env, napi_callback_info info);

/** The href; afterwards the shared array has the offsets of its components. */
napi_value parse_to_offsets(napi_env env, napi_callback_info info);

/** The href alone. */
napi_value parse_to_href(napi_env env, napi_callback_info info);

/** Only the length of the href. */
napi_value parse_only(napi_env env, napi_callback_info info);

/** The length of the input in bytes, without parsing. */
napi_value cross_only(napi_env env, napi_callback_info info);

}  // namespace url_bridge
