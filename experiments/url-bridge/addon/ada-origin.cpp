#include "ada-origin.h"

#include <dlfcn.h>

#include "ada.h"

namespace url_bridge {
namespace {

/** Load address of the library or program that contains an address; null if there is none. */
const void* find_home(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

}  // namespace

bool calls_own_ada() {
  using Parse = ada::result<ada::url_aggregator> (*)(std::string_view, const ada::url_aggregator*);
  const Parse parse = &ada::parse<ada::url_aggregator>;
  static const char own = 0;
  const void* const own_home = find_home(&own);
  return own_home != nullptr && find_home(reinterpret_cast<const void*>(parse)) == own_home;
}

}  // namespace url_bridge
