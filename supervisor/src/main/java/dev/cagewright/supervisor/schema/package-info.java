/// A subset of JSON Schema (draft 2020-12) by which arguments are judged: every keyword that there is says something
/// exact, nothing is fetched, and work is bounded. Start at [dev.cagewright.supervisor.schema.JsonSchema].
@NullMarked
package dev.cagewright.supervisor.schema;

import org.jspecify.annotations.NullMarked;
