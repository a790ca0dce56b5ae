// The amalgamated source of Ada and its version, which comes from the compiled code and not from
// the header that callers include.
#include "ada.cpp"

#include "ada-origin.h"

namespace url_bridge {

const char* compiled_ada_version() { return ADA_VERSION; }

}  // namespace url_bridge
