// Ada's amalgamated source, and what it says of itself. It is compiled through this file, so that the
// version comes from the code that was compiled rather than from the header that callers see.
#include "ada.cpp"

#include "ada-origin.h"

namespace url_bridge {

const char* compiled_ada_version() { return ADA_VERSION; }

}  // namespace url_bridge
