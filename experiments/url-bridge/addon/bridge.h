// Shared by the functions of ways.h.
#pragma once

#include <node_api.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "ada.h"

namespace url_bridge {

/** The strings of a URL, in the order in which Node 19 passed them to its callback. */
constexpr std::array<const char*, 10> PART_NAMES = {"href",     "origin",   "protocol", "hostname",
                                                    "pathname", "search",   "username", "password",
                                                    "port",     "hash"};

/** Eight offsets in the href, then the type of the scheme. */
constexpr size_t OFFSET_COUNT = 9;

/** State of the addon in one environment. */
struct Bridge {
  /** Memory of the Uint32Array for JavaScript. */
  uint32_t* offsets = nullptr;
  napi_ref offsets_array = nullptr;
};

/** The arguments of one call from JavaScript. */
struct Call {
  napi_env env;
  Bridge* bridge;
  napi_value input;
  /** Undefined if there is none. */
  napi_value callback;
};

/** Aborts the process if a call of Node-API fails, which happens only without memory. */
inline void require(napi_status status) {
  if (status == napi_ok) return;
  constexpr std::string_view place = "url-bridge";
  constexpr std::string_view text = "a call of Node-API failed";
  napi_fatal_error(place.data(), place.size(), text.data(), text.size());
}

inline Call take_call(napi_env env, napi_callback_info info) {
  size_t count = 2;
  std::array<napi_value, 2> values{};
  void* bridge = nullptr;
  require(napi_get_cb_info(env, info, &count, values.data(), nullptr, &bridge));
  return {env, static_cast<Bridge*>(bridge), values[0], values[1]};
}

/** The text of a JavaScript string as UTF-8, lone surrogates replaced. */
class InputText {
 public:
  /** @return whether the value is a string; if not, a TypeError is pending */
  bool read(const Call& call) {
    size_t length = 0;
    const auto status =
        napi_get_value_string_utf8(call.env, call.input, short_.data(), short_.size(), &length);
    if (status == napi_string_expected) {
      napi_throw_type_error(call.env, nullptr, "the input is no string");
      return false;
    }
    require(status);
    // Only whole characters of a longer text were copied, so up to four bytes may be unused.
    if (length + 5 <= short_.size()) {
      view_ = {short_.data(), length};
      return true;
    }
    require(napi_get_value_string_utf8(call.env, call.input, nullptr, 0, &length));
    long_.resize(length + 1);
    require(napi_get_value_string_utf8(call.env, call.input, long_.data(), long_.size(), &length));
    view_ = {long_.data(), length};
    return true;
  }

  std::string_view view() const { return view_; }

 private:
  std::array<char, 1024> short_;
  std::string long_;
  std::string_view view_;
};

/** Parses a text, for all functions. Without a value if the text is not a valid URL. */
inline ada::result<ada::url_aggregator> parse_text(const InputText& text) {
  return ada::parse<ada::url_aggregator>(text.view());
}

/** Serialized URLs are ASCII, so one-byte strings of V8 suffice. */
inline napi_value make_string(napi_env env, std::string_view text) {
  napi_value made = nullptr;
  require(napi_create_string_latin1(env, text.data(), text.size(), &made));
  return made;
}

}  // namespace url_bridge
