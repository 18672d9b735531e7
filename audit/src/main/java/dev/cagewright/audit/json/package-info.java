/// A small strict JSON. Start at [Json], which builds and parses, and [JsonValue], which is what comes out.
/// Members keep their order, numbers keep their text, and nothing is ever repaired.
@NullMarked
package dev.cagewright.audit.json;

import org.jspecify.annotations.NullMarked;
