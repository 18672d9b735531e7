package dev.cagewright.cli.evidence;

import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.supervisor.receipt.ReceiptFile;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// Which receipt is meant: that of a session, or a file. A word of a session's form without a slash, and `last`, is a
/// session.
///
/// @param session empty for a file
record ReceiptChoice(Path file, Optional<SessionRecord> session) {
    private static final String LAST = "last";
    private static final String SESSION = "[a-z2-7]{10}|" + LAST;

    /// @throws IOException if a session is named that is not known here
    static ReceiptChoice of(StateFolders folders, String argument) throws IOException {
        if (!argument.matches(SESSION)) {
            return new ReceiptChoice(Path.of(argument).toAbsolutePath(), Optional.empty());
        }
        var record = SessionWord.find(folders, argument)
                .orElseThrow(() -> new IOException(
                        (argument.equals(LAST) ? "there is no session yet" : "there is no session " + argument)
                                + " (expected: one that `cagewright ls` shows, last, or a file with a slash)"));
        return new ReceiptChoice(ReceiptFile.in(folders.session(record.id())), Optional.of(record));
    }

    byte[] bytes() throws IOException {
        return ReceiptFile.read(file);
    }

    /// The log that the session wrote to.
    Optional<Path> log() {
        return session.map(record -> Path.of(record.auditLog()));
    }
}
