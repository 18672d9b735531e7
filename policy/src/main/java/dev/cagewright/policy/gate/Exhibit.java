package dev.cagewright.policy.gate;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.util.List;

/// The exact object that a person agrees to: everything of it that counts, as a digest, and the same for the eye. The
/// [Gate] takes the digest before it asks and once more after the answer, so what was changed meanwhile does not pass.
/// For one thread.
public interface Exhibit {
    /// SHA-256 over what counts, 32 bytes; the same as long as nothing of it changed.
    ///
    /// @throws IOException if it cannot be read; then nobody is asked, and it is denied
    ByteString digest() throws IOException;

    /// What a person sees beside the action itself, a line each; not yet made safe for a terminal.
    ///
    /// @throws IOException as [#digest]
    List<String> lines() throws IOException;

    /// The action and nothing else.
    static Exhibit of(Action action) {
        return new Exhibit() {
            @Override
            public ByteString digest() {
                return ActionDigest.begin(action).end();
            }

            @Override
            public List<String> lines() {
                return List.of();
            }
        };
    }

    /// [#digest] and [#lines] at the moment of the question.
    record Shown(ByteString digest, List<String> lines) {
        public Shown {
            lines = List.copyOf(lines);
        }
    }
}
