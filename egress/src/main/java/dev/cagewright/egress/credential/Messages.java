package dev.cagewright.egress.credential;

import dev.cagewright.secrets.redact.Patterns;
import dev.cagewright.secrets.redact.Redaction;
import dev.cagewright.secrets.redact.Weave;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The messages of a WebSocket: values come out of what the origin says, and a decoy in what the cage says ends it, for
/// no
/// value is put into a message. For one event loop.
final class Messages {
    private static final byte[] NOTHING = {};

    private final Handover handover;
    private final Weave weave;
    private final Frames said;
    private final Frames asked;
    private byte[] held = NOTHING;
    private @Nullable Misuse misuse;

    Messages(Handover handover, Redaction redaction) {
        this.handover = handover;
        this.weave = new Weave(redaction);
        this.said = new Frames(new Said());
        this.asked = new Frames(new Asked());
    }

    private final class Said implements Frames.Parts {
        @Override
        public void other(byte[] bytes) {
            weave.other(bytes);
        }

        @Override
        public void text(byte[] bytes) {
            weave.text(bytes);
        }

        @Override
        public void message() {
            weave.message();
        }
    }

    private final class Asked implements Frames.Parts {
        @Override
        public void other(byte[] bytes) {}

        @Override
        public void text(byte[] bytes) {
            look(bytes);
        }

        @Override
        public void message() {}
    }

    private void look(byte[] bytes) {
        var joined = Arrays.copyOf(held, held.length + bytes.length);
        System.arraycopy(bytes, 0, joined, held.length, bytes.length);
        int decided = handover.credentials()
                .decoys()
                .search(joined, 0, joined.length, Patterns.Rest.MORE_COMES, sighting -> {
                    var name = handover.credentials().name(sighting.secret());
                    misuse = Misuse.elsewhere(
                            name, "decoys.message", "the decoy of the secret " + name + " is in a WebSocket message");
                });
        held = Arrays.copyOfRange(joined, decided, joined.length);
    }

    /// What the cage may hear of the next bytes.
    ///
    /// @throws IOException if they are no frames
    byte[] said(byte[] bytes) throws IOException {
        said.next(bytes);
        return weave.free();
    }

    /// Nothing more is said; returns what was held.
    byte[] end() {
        return weave.end();
    }

    /// Looks at what the cage says next.
    ///
    /// @throws IOException if it is no frames
    /// @throws MisusedException if a decoy is in it
    void asked(byte[] bytes) throws IOException, MisusedException {
        asked.next(bytes);
        if (misuse != null) {
            throw new MisusedException(misuse);
        }
    }

    /// The names of the secrets whose values were taken out.
    Set<String> names() {
        return weave.names();
    }
}
