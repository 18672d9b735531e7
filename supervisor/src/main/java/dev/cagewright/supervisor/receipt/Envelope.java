package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.policy.action.ByteString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/// A payload with one Ed25519 signature: a DSSE envelope, version 1 of that protocol. Says nothing about whose key it
/// is. Immutable.
///
/// @param payload what is signed
/// @param keyId the SHA-256 of the public key's 32 bytes; a hint which key to try, never a proof
/// @param signature 64 bytes, over [#authenticated]
public record Envelope(ByteString payload, String keyId, ByteString signature) {
    /// What the payload is, by its media type.
    public static final String PAYLOAD_TYPE = "application/vnd.in-toto+json";

    /// The largest file that is read, bytes.
    public static final int MAX_BYTES = 8 << 20;

    private static final int SIGNATURE = 64;

    /// Signs `payload`.
    ///
    /// @param open the public half of `key`
    /// @throws IllegalArgumentException if the two are not halves of one key
    public static Envelope sign(byte[] payload, SigningKey key, PinnedKey open) {
        if (!Arrays.equals(key.publicKey().bytes(), open.bytes())) {
            throw new IllegalArgumentException(
                    "receipt key: public half " + open.hex() + " (expected: the secret key's own)");
        }
        return new Envelope(
                ByteString.copyOf(payload), keyId(open), ByteString.copyOf(key.sign(authenticated(payload))));
    }

    /// Reads an envelope.
    ///
    /// @throws ReceiptSyntaxException if the bytes are not exactly the one spelling of an envelope
    static Envelope parse(byte[] file) throws ReceiptSyntaxException {
        if (file.length > MAX_BYTES) {
            throw new ReceiptSyntaxException("envelope: " + file.length + " bytes (at most " + MAX_BYTES + ")");
        }
        var envelope = read(json(file));
        if (!Arrays.equals(envelope.bytes(), file)) {
            throw new ReceiptSyntaxException("envelope: is spelled in another way than receipts are");
        }
        return envelope;
    }

    private static JsonValue json(byte[] file) throws ReceiptSyntaxException {
        try {
            return Json.parse(file);
        } catch (JsonSyntaxException e) {
            throw new ReceiptSyntaxException("envelope: " + e.getMessage(), e);
        }
    }

    private static Envelope read(JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of("envelope", json);
        var payload = base64("envelope.payload", members.text("payload"));
        var type = members.text("payloadType");
        if (!type.equals(PAYLOAD_TYPE)) {
            throw new ReceiptSyntaxException("envelope.payloadType: is not " + PAYLOAD_TYPE);
        }
        var signatures = members.list("signatures", Members::of);
        members.end();
        if (signatures.size() != 1) {
            throw new ReceiptSyntaxException("envelope.signatures: are " + signatures.size() + " (expected: one)");
        }
        var signature = signatures.getFirst();
        var keyId = signature.digest("keyid");
        var bytes = base64("envelope.signatures[0].sig", signature.text("sig"));
        signature.end();
        if (bytes.length != SIGNATURE) {
            throw new ReceiptSyntaxException("envelope.signatures[0].sig: has " + bytes.length + " bytes, not 64");
        }
        return new Envelope(ByteString.copyOf(payload), keyId, ByteString.copyOf(bytes));
    }

    private static byte[] base64(String where, String text) throws ReceiptSyntaxException {
        try {
            return Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new ReceiptSyntaxException(where + ": is not base64", e);
        }
    }

    /// The file's bytes: compact JSON and a line end.
    public byte[] bytes() {
        var bytes = Json.object()
                .put("payload", Base64.getEncoder().encodeToString(payload.toByteArray()))
                .put("payloadType", PAYLOAD_TYPE)
                .put("signatures", signatures())
                .build()
                .bytes();
        var line = Arrays.copyOf(bytes, bytes.length + 1);
        line[bytes.length] = '\n';
        return line;
    }

    private JsonValue signatures() {
        return Json.array()
                .add(Json.object()
                        .put("keyid", keyId)
                        .put("sig", Base64.getEncoder().encodeToString(signature.toByteArray()))
                        .build())
                .build();
    }

    /// Did the secret half of `key` sign this?
    public boolean isSignedBy(PinnedKey key) {
        return key.signed(authenticated(payload.toByteArray()), signature.toByteArray());
    }

    /// How DSSE names `key` here.
    public static String keyId(PinnedKey key) {
        return Sha256.of(key.bytes());
    }

    /// What the signature is over, PAE of the DSSE protocol: version, type and payload, both with their length in
    /// bytes. No checkpoint and no log line starts like it.
    static byte[] authenticated(byte[] payload) {
        var start = ("DSSEv1 " + PAYLOAD_TYPE.length() + " " + PAYLOAD_TYPE + " " + payload.length + " ")
                .getBytes(StandardCharsets.US_ASCII);
        var whole = Arrays.copyOf(start, start.length + payload.length);
        System.arraycopy(payload, 0, whole, start.length, payload.length);
        return whole;
    }
}
