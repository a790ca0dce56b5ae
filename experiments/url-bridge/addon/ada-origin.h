// Checks which Ada is called. Node exports the symbols of its own, and the dynamic linker would
// prefer them to those of a library that is loaded later.
#pragma once

namespace url_bridge {

/** Version of the Ada compiled into this library. */
const char* compiled_ada_version();

/** Whether calls of Ada stay within this library. */
bool calls_own_ada();

}  // namespace url_bridge
