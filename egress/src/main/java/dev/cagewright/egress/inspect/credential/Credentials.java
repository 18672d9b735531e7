package dev.cagewright.egress.inspect.credential;

import java.nio.ByteBuffer;

/// Looks for credentials in one stream of bytes, as they are and encoded in base64, hex or escapes, up to
/// [#DEPTH] encodings around each other. For one thread at a time.
public final class Credentials {
    /// How many encodings around each other are undone.
    public static final int DEPTH = 2;

    private final Text text;
    private long at;

    /// Hears what was found.
    @FunctionalInterface
    public interface Heard {
        /// Something that is written like a credential.
        ///
        /// @param kind e.g. `github_token`
        /// @param layers how many encodings were undone
        /// @param at where the secret part begins in the stream
        void saw(String kind, int layers, long at);
    }

    public Credentials(Heard heard) {
        this.text =
                new Text(PublishedFormats.SET, left -> (kind, where) -> heard.saw(kind, DEPTH - left, where), DEPTH);
    }

    /// Looks at the next bytes.
    public void next(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            text.accept(bytes[i] & 0xff, at++);
        }
    }

    /// Looks at the next bytes, as many as remain.
    public void next(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            text.accept(bytes.get() & 0xff, at++);
        }
    }

    /// From where on nothing of the stream may go yet, since it may turn out to be a credential; the stream's length so
    /// far if all of it may.
    public long clearedTo() {
        text.pause();
        return Math.min(at, text.heldFrom());
    }

    /// The stream ends; another one may begin, and is counted from its own beginning.
    public void end() {
        text.end();
        at = 0;
    }

    /// What it has cost so far: steps of automata.
    public long steps() {
        return text.steps();
    }
}
