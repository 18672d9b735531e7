package dev.cagewright.audit.note;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cagewright.audit.key.SigningKey;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A text and the signatures of it. That it parses says nothing about the signatures: ask a [NoteKey].
///
/// @param text ends in a line feed; no control characters but line feeds
/// @param signatures at least one, at most [#MOST_SIGNATURES]
public record SignedNote(String text, List<NoteSignature> signatures) {
    /// More signatures than this are refused. The form's document asks for 16 at least.
    public static final int MOST_SIGNATURES = 64;

    /// The longest note, in bytes.
    public static final int LONGEST = 256 << 10;

    public SignedNote {
        signatures = List.copyOf(signatures);
    }

    /// Signs `text` as the key that `signer` is the secret half of.
    public static SignedNote sign(String text, NoteKey as, SigningKey signer) {
        return new SignedNote(text, List.of(signature(text, as, signer, Instant.EPOCH)));
    }

    /// This note with one more signature.
    ///
    /// @param time said by a cosignature, in seconds
    public SignedNote alsoSigned(NoteKey as, SigningKey signer, Instant time) {
        return alsoSigned(signature(text, as, signer, time));
    }

    /// This note with one more signature line.
    public SignedNote alsoSigned(NoteSignature line) {
        var all = new ArrayList<>(signatures);
        all.add(line);
        return new SignedNote(text, all);
    }

    private static NoteSignature signature(String text, NoteKey as, SigningKey signer, Instant time) {
        return switch (as.type()) {
            case NOTE -> NoteSignature.of(as.name(), as.id(), signer.sign(text.getBytes(UTF_8)));
            case COSIGNATURE -> {
                long seconds = time.getEpochSecond();
                var signed = signer.sign(NoteKey.cosigned(seconds, text));
                yield NoteSignature.of(
                        as.name(),
                        as.id(),
                        ByteBuffer.allocate(Long.BYTES + signed.length)
                                .putLong(seconds)
                                .put(signed)
                                .array());
            }
        };
    }

    /// Reads a note.
    ///
    /// @throws NoteSyntaxException if the bytes are not exactly one note
    public static SignedNote parse(byte[] bytes) throws NoteSyntaxException {
        var whole = text(bytes);
        int blank = whole.lastIndexOf("\n\n");
        if (blank < 0) {
            throw new NoteSyntaxException("has no blank line before its signatures");
        }
        return new SignedNote(whole.substring(0, blank + 1), signatures(whole.substring(blank + 2)));
    }

    /// Reads signature lines alone, as a witness sends them.
    ///
    /// @throws NoteSyntaxException if the text is anything else
    public static List<NoteSignature> signatures(String text) throws NoteSyntaxException {
        if (!text.endsWith("\n")) {
            throw new NoteSyntaxException("does not end in a signature line");
        }
        var found = new ArrayList<NoteSignature>();
        for (var line : text.substring(0, text.length() - 1).split("\n", -1)) {
            found.add(signature(line));
            if (found.size() > MOST_SIGNATURES) {
                throw new NoteSyntaxException("has more than " + MOST_SIGNATURES + " signatures");
            }
        }
        return found;
    }

    private static NoteSignature signature(String line) throws NoteSyntaxException {
        int space = line.lastIndexOf(' ');
        if (line.startsWith(NoteSignature.DASH) && space > NoteSignature.DASH.length()) {
            try {
                return new NoteSignature(line.substring(NoteSignature.DASH.length(), space), line.substring(space + 1));
            } catch (IllegalArgumentException _) {
                // falls through to the one refusal
            }
        }
        throw new NoteSyntaxException("has a signature line that is none");
    }

    /// The text of `bytes` if it can be a note's: UTF-8 without controls.
    ///
    /// @throws NoteSyntaxException if it cannot
    public static String text(byte[] bytes) throws NoteSyntaxException {
        if (bytes.length > LONGEST) {
            throw new NoteSyntaxException("is longer than " + LONGEST + " bytes");
        }
        String text;
        try {
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            throw new NoteSyntaxException("is not UTF-8");
        }
        if (text.chars().anyMatch(c -> c < ' ' && c != '\n')) {
            throw new NoteSyntaxException("contains control characters");
        }
        return text;
    }

    /// The note's bytes.
    public byte[] bytes() {
        var out = new StringBuilder(text).append('\n');
        signatures.forEach(line -> out.append(line.line()));
        return out.toString().getBytes(UTF_8);
    }
}
