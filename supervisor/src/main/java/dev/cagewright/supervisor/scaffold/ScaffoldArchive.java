package dev.cagewright.supervisor.scaffold;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.supervisor.scaffold.Scaffolds.NamedText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// A scaffold in one file, signed: a DSSE envelope, version 1 of that protocol, whose payload is a JSON object with the
/// name, the signer's public key, and the texts. The names of its files are fixed, so that it can hold nothing that
/// would come to stand elsewhere. Says who signed it, never whether they are to be believed. Immutable.
///
/// @param name the scaffold's
/// @param files its two
/// @param signer whose signature was checked
public record ScaffoldArchive(String name, List<NamedText> files, PinnedKey signer) {
    /// The largest file that is read, bytes.
    public static final int MAX_BYTES = 1 << 20;

    /// No receipt, checkpoint or log line is signed under this name.
    private static final String TYPE = "application/vnd.cagewright.scaffold+json";

    public ScaffoldArchive {
        files = List.copyOf(files);
    }

    /// The file's bytes: compact JSON and a line end.
    ///
    /// @throws IllegalArgumentException if it would be too large
    public static byte[] sign(String name, List<NamedText> files, SigningKey key) {
        var texts = Json.object();
        files.forEach(file -> texts.put(file.name(), file.text()));
        var payload = Json.object()
                .put("name", name)
                .put("signer", key.publicKey().hex())
                .put("files", texts.build())
                .build()
                .bytes();
        var bytes = envelope(payload, key.sign(authenticated(payload)));
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "scaffold " + name + ": " + bytes.length + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return bytes;
    }

    private static byte[] envelope(byte[] payload, byte[] signature) {
        var signatures = Json.array()
                .add(Json.object()
                        .put("sig", Base64.getEncoder().encodeToString(signature))
                        .build())
                .build();
        var bytes = Json.object()
                .put("payload", Base64.getEncoder().encodeToString(payload))
                .put("payloadType", TYPE)
                .put("signatures", signatures)
                .build()
                .bytes();
        var line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }

    /// PAE of the DSSE protocol.
    private static byte[] authenticated(byte[] payload) {
        var start = ("DSSEv1 " + TYPE.length() + " " + TYPE + " " + payload.length + " ")
                .getBytes(StandardCharsets.US_ASCII);
        var whole = Arrays.copyOf(start, start.length + payload.length);
        System.arraycopy(payload, 0, whole, start.length, payload.length);
        return whole;
    }

    /// Reads one whose signature is that of the key that it names.
    ///
    /// @throws IOException if it is none, is spelled in another way than [#sign] spells it, or was changed
    public static ScaffoldArchive read(byte[] file) throws IOException {
        if (file.length > MAX_BYTES) {
            throw refusal("is larger than " + MAX_BYTES + " bytes");
        }
        try {
            var outer = object(Json.parse(file));
            if (!outer.text("payloadType").orElse("").equals(TYPE)) {
                throw refusal("is not " + TYPE);
            }
            var payload = base64(outer.text("payload"));
            var signature = signature(outer);
            if (!Arrays.equals(envelope(payload, signature), file)) {
                throw refusal("is spelled in another way than scaffold export does");
            }
            return checked(object(Json.parse(payload)), payload, signature);
        } catch (JsonSyntaxException e) {
            throw new IOException("scaffold archive: is no JSON: " + e.getMessage(), e);
        }
    }

    private static ScaffoldArchive checked(JsonObject inner, byte[] payload, byte[] signature) throws IOException {
        var signer = signer(inner.text("signer").orElse(""));
        if (signature.length != 64 || !signer.signed(authenticated(payload), signature)) {
            throw refusal("was changed, or not signed by the key that it names");
        }
        var name = inner.text("name").orElse("");
        if (!name.matches(Scaffold.NAME)) {
            throw refusal("has no name of small letters, digits and '-'");
        }
        var texts = object(inner.member("files").orElse(JsonObject.EMPTY));
        if (inner.members().size() != 3
                || !texts.members().keySet().stream().sorted().toList().equals(Scaffolds.FILES)) {
            throw refusal("has other parts than a name, a signer, and " + String.join(" and ", Scaffolds.FILES));
        }
        var files = new ArrayList<NamedText>();
        for (String file : Scaffolds.FILES) {
            files.add(new NamedText(file, texts.text(file).orElseThrow(() -> refusal(file + " is no text"))));
        }
        return new ScaffoldArchive(name, files, signer);
    }

    private static PinnedKey signer(String hex) throws IOException {
        try {
            return PinnedKey.ofBytes(HexFormat.of().parseHex(hex));
        } catch (IllegalArgumentException e) {
            throw new IOException("scaffold archive: names no signer: " + e.getMessage(), e);
        }
    }

    private static byte[] signature(JsonObject outer) throws IOException {
        if (outer.member("signatures").orElse(JsonObject.EMPTY) instanceof JsonArray(List<JsonValue> items)
                && items.size() == 1) {
            return base64(object(items.getFirst()).text("sig"));
        }
        throw refusal("has not one signature");
    }

    private static JsonObject object(JsonValue value) throws IOException {
        if (value instanceof JsonObject object) {
            return object;
        }
        throw refusal("is no archive of scaffold export");
    }

    private static byte[] base64(Optional<String> text) throws IOException {
        try {
            return Base64.getDecoder().decode(text.orElse(""));
        } catch (IllegalArgumentException e) {
            throw new IOException("scaffold archive: holds no base64: " + e.getMessage(), e);
        }
    }

    private static IOException refusal(String what) {
        return new IOException("scaffold archive: " + what + " (expected: a file of cagewright scaffold export)");
    }
}
