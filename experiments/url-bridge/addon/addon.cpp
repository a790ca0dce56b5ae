// Entry of the addon: its exports to JavaScript.
#include "ada-origin.h"
#include "bridge.h"
#include "ways.h"

namespace url_bridge {
namespace {

/** @return the shared array, whose memory does not move while it is referenced */
napi_value keep_offsets(napi_env env, Bridge& bridge) {
  napi_value buffer = nullptr;
  napi_value array = nullptr;
  void* memory = nullptr;
  require(napi_create_arraybuffer(env, OFFSET_COUNT * sizeof(uint32_t), &memory, &buffer));
  require(napi_create_typedarray(env, napi_uint32_array, OFFSET_COUNT, buffer, 0, &array));
  require(napi_create_reference(env, array, 1, &bridge.offsets_array));
  bridge.offsets = static_cast<uint32_t*>(memory);
  return array;
}

void release_bridge(napi_env env, void* data, void*) {
  auto* const bridge = static_cast<Bridge*>(data);
  napi_delete_reference(env, bridge->offsets_array);
  delete bridge;
}

void export_value(napi_env env, napi_value exports, const char* name, napi_value value) {
  require(napi_set_named_property(env, exports, name, value));
}

void export_ways(napi_env env, napi_value exports, Bridge* bridge) {
  struct Way {
    const char* name;
    napi_callback call;
  };
  constexpr std::array<Way, 7> ways = {{{"parseToObject", parse_to_object},
                                        {"parseToArray", parse_to_array},
                                        {"parseToCallback", parse_to_callback},
                                        {"parseToOffsets", parse_to_offsets},
                                        {"parseToHref", parse_to_href},
                                        {"parseOnly", parse_only},
                                        {"crossOnly", cross_only}}};
  for (const auto& [name, call] : ways) {
    napi_value function = nullptr;
    require(napi_create_function(env, name, NAPI_AUTO_LENGTH, call, bridge, &function));
    export_value(env, exports, name, function);
  }
}

}  // namespace
}  // namespace url_bridge

NAPI_MODULE_INIT() {
  using namespace url_bridge;
  if (!calls_own_ada()) {
    napi_throw_error(env, nullptr, "calls of Ada would reach another Ada than the addon's own");
    return nullptr;
  }
  auto* const bridge = new Bridge;
  require(napi_set_instance_data(env, bridge, release_bridge, nullptr));
  export_value(env, exports, "offsets", keep_offsets(env, *bridge));
  export_value(env, exports, "adaVersion", make_string(env, compiled_ada_version()));
  export_ways(env, exports, bridge);
  return exports;
}
