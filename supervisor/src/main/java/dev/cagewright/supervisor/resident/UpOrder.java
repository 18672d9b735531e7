package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.credentials.SecretWish;
import dev.cagewright.supervisor.named.NamedCage;
import dev.cagewright.supervisor.resident.wire.Words;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Somebody wants a named cage to be up.
///
/// @param name its
/// @param secrets lent to it besides those of its own
/// @param caller the variables of whoever asks
public record UpOrder(String name, List<SecretWish> secrets, Map<ByteString, ByteString> caller) {
    public UpOrder {
        NamedCage.requireName(name);
        secrets = List.copyOf(secrets);
        caller = Map.copyOf(caller);
    }

    /// Whether this is what brought a cage up.
    public enum Arrival {
        NEW,
        /// It was up before.
        BEFORE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    void write(JsonObject.Builder json) {
        var wishes = secrets.stream()
                .map(wish ->
                        wish.name() + wish.env().map(variable -> "=" + variable).orElse(""))
                .toList();
        json.put("name", name).put("secrets", wishes).put("caller", Words.variables(caller));
    }

    /// @throws IllegalArgumentException if it is none
    static UpOrder read(JsonObject json) {
        return new UpOrder(
                json.text("name").orElse(""),
                Ends.texts(json, "secrets").stream().map(SecretWish::parse).toList(),
                Words.variables(Ends.texts(json, "caller")));
    }
}
