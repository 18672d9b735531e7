package dev.cagewright.supervisor.vault;

import java.io.IOException;
import java.util.Optional;

/// Whoever can be asked and told.
public interface Person {
    /// Asks for a passphrase, without showing it.
    ///
    /// @return its bytes, for the caller to wipe; empty where nobody can be asked
    Optional<byte[]> passphrase(String question) throws IOException;

    /// Tells one sentence.
    void tell(String sentence);

    /// Nobody.
    Person NOBODY = new Person() {
        @Override
        public Optional<byte[]> passphrase(String question) {
            return Optional.empty();
        }

        @Override
        public void tell(String sentence) {}
    };
}
