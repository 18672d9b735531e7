package dev.cagewright.supervisor.hatch;

import dev.cagewright.policy.action.ByteString;
import java.util.Map;
import java.util.Optional;

/// One request, whole.
///
/// @param target as it came: begins with `/`, visible ASCII
/// @param fields by their names in lower case, each once
public record HatchRequest(String method, String target, Map<String, String> fields, ByteString body) {
    public HatchRequest {
        fields = Map.copyOf(fields);
    }

    /// The field of that name.
    ///
    /// @param name in lower case
    public Optional<String> field(String name) {
        return Optional.ofNullable(fields.get(name));
    }

    /// The target up to its query.
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /// Without its body, which may hold what only its bearer should have.
    @Override
    public String toString() {
        return method + " " + path();
    }
}
