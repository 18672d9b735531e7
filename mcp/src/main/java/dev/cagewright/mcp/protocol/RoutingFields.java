package dev.cagewright.mcp.protocol;

import dev.cagewright.audit.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/// What a request of 2026-07-28 says of itself in the head of HTTP, so that others can route by it: "Streamable HTTP",
/// "Request Metadata".
public final class RoutingFields {
    public static final String VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";

    /// Which parameter stands in the head, by method.
    private static final Map<String, String> NAMED =
            Map.of("tools/call", "name", "prompts/get", "name", "resources/read", "uri");

    private static final String BEFORE = "=?base64?";
    private static final String AFTER = "?=";

    private RoutingFields() {}

    /// What `Mcp-Name` has to say; empty where the method has none, or the parameter is missing.
    public static Optional<String> name(String method, JsonObject params) {
        return Optional.ofNullable(NAMED.get(method)).flatMap(params::text);
    }

    /// A value as a head can carry it.
    public static String carried(String value) {
        boolean isPlain =
                value.chars().allMatch(c -> c >= ' ' && c < 0x7f) && value.equals(value.strip()) && !isPacked(value);
        return isPlain
                ? value
                : BEFORE + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)) + AFTER;
    }

    /// What a head carries; empty where it says that it is packed and is not, in the one spelling of base64.
    public static Optional<String> read(String field) {
        return isPacked(field)
                ? unpacked(field.substring(BEFORE.length(), field.length() - AFTER.length()))
                : Optional.of(field);
    }

    private static boolean isPacked(String field) {
        return field.startsWith(BEFORE) && field.endsWith(AFTER) && field.length() >= BEFORE.length() + AFTER.length();
    }

    private static Optional<String> unpacked(String base64) {
        try {
            var bytes = Base64.getDecoder().decode(base64);
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            boolean isWhole = Base64.getEncoder().encodeToString(bytes).equals(base64);
            return isWhole ? Optional.of(text) : Optional.empty();
        } catch (IllegalArgumentException | CharacterCodingException _) {
            return Optional.empty();
        }
    }
}
