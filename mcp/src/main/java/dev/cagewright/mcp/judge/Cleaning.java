package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.policy.mcp.ResultTerms;
import dev.cagewright.secrets.redact.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Goes through one value and makes what may go on of it. For one thread.
final class Cleaning {
    private final JudgeGround ground;
    private final Findings findings;
    private final Findings.Deed towardsHidden;
    private final Findings.Deed towardsCredentials;
    private final long most;
    private final CredentialTexts credentials = new CredentialTexts();

    /// Nothing can be made of it.
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1;

        private final String kind;

        UnreadableException(String kind, String why) {
            super(why);
            this.kind = kind;
        }

        String kind() {
            return kind;
        }
    }

    Cleaning(ResultTerms terms, JudgeGround ground, Findings findings) {
        this.ground = ground;
        this.findings = findings;
        this.most = terms.maxBytes();
        this.towardsHidden = switch (terms.towardsHidden()) {
            case FLAG -> Findings.Deed.FLAGGED;
            case REMOVE -> Findings.Deed.REMOVED;
            case BLOCK -> Findings.Deed.BLOCKED;
        };
        this.towardsCredentials = switch (terms.towardsCredentials()) {
            case FLAG -> Findings.Deed.FLAGGED;
            case REDACT -> Findings.Deed.REDACTED;
            case BLOCK -> Findings.Deed.BLOCKED;
        };
    }

    JsonValue value(JsonValue value) throws UnreadableException {
        return switch (value) {
            case JsonObject object -> object(object);
            case JsonArray(List<JsonValue> items) -> {
                var cleaned = new ArrayList<JsonValue>(items.size());
                for (JsonValue item : items) {
                    cleaned.add(value(item));
                }
                yield new JsonArray(cleaned);
            }
            case JsonString(String text) -> new JsonString(text(text));
            default -> value;
        };
    }

    private JsonObject object(JsonObject object) throws UnreadableException {
        var cleaned = new LinkedHashMap<String, JsonValue>();
        for (var member : object.members().entrySet()) {
            var name = text(member.getKey());
            var value = Encoded.isIn(object, member.getKey()) && member.getValue() instanceof JsonString(String text)
                    ? new JsonString(encoded(text))
                    : value(member.getValue());
            if (cleaned.putIfAbsent(name, value) != null) {
                throw new UnreadableException("twice", "two of its members have one name once it can be seen");
            }
        }
        return new JsonObject(cleaned);
    }

    private String text(String text) {
        var plain = HiddenCharacters.without(text, findings, towardsHidden);
        var shown = towardsHidden == Findings.Deed.FLAGGED
                ? HiddenCharacters.without(text, new Findings(), Findings.Deed.REMOVED)
                : plain;
        if (shown.length() < CredentialTexts.SHORTEST && ground.secrets().isEmpty()) {
            return plain;
        }
        var utf8 = shown.getBytes(StandardCharsets.UTF_8);
        var cleaned = bytes(utf8);
        return Arrays.equals(cleaned, utf8) ? plain : new String(cleaned, StandardCharsets.UTF_8);
    }

    /// Without what must not come out; the same array if there is nothing.
    private byte[] bytes(byte[] utf8) {
        var own = withoutSecrets(utf8);
        ground.decoys().stream()
                .filter(decoy -> Bytes.indexOf(own, decoy.getBytes(StandardCharsets.UTF_8)) >= 0)
                .forEach(_ -> findings.add(Findings.Deed.FLAGGED, "decoy", 1));
        return credentials.without(own, findings, towardsCredentials);
    }

    private byte[] withoutSecrets(byte[] utf8) {
        if (ground.secrets().isEmpty() || ground.secrets().get().isIdle()) {
            return utf8;
        }
        var redactor = Redactor.ofText(ground.secrets().get());
        var first = redactor.next(utf8.clone());
        var rest = redactor.end();
        if (redactor.names().isEmpty()) {
            return utf8;
        }
        redactor.names().forEach(name -> findings.add(Findings.Deed.REDACTED, "secret." + name, 1));
        var all = new byte[first.length + rest.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return all;
    }

    /// Base64 as what it stands for.
    private String encoded(String text) throws UnreadableException {
        Optional<byte[]> decoded = Encoded.decoded(text);
        if (decoded.isEmpty()) {
            throw new UnreadableException("base64", "its bytes are not base64");
        }
        if (Encoded.isLargerUnpacked(decoded.get(), most)) {
            throw new UnreadableException("bomb", "a packed file in it unpacks to more than mcp.results.max");
        }
        var cleaned = bytes(decoded.get());
        return Arrays.equals(cleaned, decoded.get()) ? text : Encoded.encoded(cleaned);
    }
}
