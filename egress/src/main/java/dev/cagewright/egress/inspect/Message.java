package dev.cagewright.egress.inspect;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The head of a message, for inspectors.
///
/// @param host the name that was asked for
/// @param target path and query as the origin gets them
/// @param fields of the message, in their order
public record Message(
        Direction direction,
        String method,
        String host,
        int port,
        String target,
        List<Map.Entry<String, String>> fields) {

    /// Which way it goes.
    public enum Direction {
        REQUEST,
        ANSWER
    }

    public Message {
        fields = List.copyOf(fields);
    }

    /// The values of a field, joined by commas; empty if there is none.
    public Optional<String> field(String name) {
        var found = Optional.<String>empty();
        for (var field : fields) {
            if (field.getKey().equalsIgnoreCase(name)) {
                var value = field.getValue();
                found = Optional.of(found.map(before -> before + "," + value).orElse(value));
            }
        }
        return found;
    }

    /// The media type of the body in small letters, without parameters; empty if none is said.
    public String mediaType() {
        return field("content-type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /// The path without the query.
    public String path() {
        return target.split("\\?", 2)[0];
    }

    /// Fields hold secrets.
    @Override
    public String toString() {
        return direction + " " + method + " " + host + ":" + port;
    }
}
