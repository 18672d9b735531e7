package dev.cagewright.supervisor.resident;

import dev.cagewright.supervisor.vault.Person;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/// Nobody sits at the background supervisor: what would have to be typed is refused.
///
/// @param told hears what there is to tell
record Unattended(Consumer<String> told) implements Person {
    @Override
    public Optional<byte[]> passphrase(String question) throws IOException {
        throw new IOException(
                "your secrets are kept under a passphrase, and the background supervisor has nobody to ask"
                        + " for it (expected: their key kept in another way, cagewright secret key --help says which; or"
                        + " cagewright run, which asks you)");
    }

    @Override
    public void tell(String sentence) {
        told.accept(sentence);
    }
}
