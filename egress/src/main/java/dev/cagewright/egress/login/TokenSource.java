package dev.cagewright.egress.login;

import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Where one log-in gets its tokens, for one exchange. Safe for all threads.
public interface TokenSource {
    /// How an answer is read.
    enum Reading {
        /// It is the token end point's: whatever is in it has to be understood.
        STRICT,
        /// It is another one of that host: it passes unless it has tokens where the end point has them.
        WATCHFUL
    }

    Reading reading();

    /// The members that are tokens.
    Set<String> fields();

    /// The tokens that a request may give back for others, under names of the keeper's.
    List<HeldSecret> renewable();

    /// Keeps tokens for good. Waits for the disk.
    ///
    /// @param tokens by their members; the caller's to wipe, so what is kept is copied
    /// @param renewed the names of those of [#renewable] that the request gave back
    /// @return the decoy of each, printable ASCII without quotes and backslashes
    /// @throws IOException if they cannot be kept, in a sentence for the client; nothing is changed
    Map<String, byte[]> keep(Map<String, SecretValue> tokens, Set<String> renewed) throws IOException;
}
