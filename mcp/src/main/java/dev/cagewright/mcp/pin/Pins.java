package dev.cagewright.mcp.pin;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/// The pins of one server that runs: what of its definitions clients may see. A server is its name and what is started;
/// another program under a known name is trusted with what was accepted under it, word for word, and with nothing else.
/// Safe for all threads and processes.
public final class Pins {
    private final PinBook book;
    private final String server;
    private final String program;
    private final First first;

    /// What becomes of the first list of a server.
    public enum First {
        /// It is taken for what the person wants, unseen.
        TRUST,
        /// A person has to accept it.
        ASK
    }

    Pins(PinBook book, String server, List<ByteString> argv, First first) {
        this.book = book;
        this.server = server;
        this.program = digest(argv);
        this.first = first;
    }

    private static String digest(List<ByteString> argv) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            for (ByteString word : argv) {
                sha.update(ByteBuffer.allocate(Long.BYTES).putLong(word.size()).flip());
                sha.update(word.toByteArray());
            }
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// What may be shown of a whole list. Whatever is held is kept for the person to look at.
    ///
    /// @param definitions all of that kind that the server has, as it has them
    /// @throws IOException if the book cannot be read or written; nothing may be shown then
    public Accepted sort(PinKind kind, List<JsonObject> definitions) throws IOException {
        return book.change(server, page -> page.sorting(kind, program, first).all(definitions));
    }

    /// Another number each time that somebody may have changed what is accepted.
    public long version() {
        return book.version(server);
    }
}
