package dev.cagewright.supervisor.schema;

import dev.cagewright.audit.json.JsonValue;
import java.util.Optional;

/// One keyword of a schema, ready to be asked.
@FunctionalInterface
interface Rule {
    /// Why `value` does not fit.
    ///
    /// @param pointer of the value
    Optional<Violation> violation(JsonValue value, String pointer, Work work);
}
