package dev.cagewright.supervisor.receipt.check;

import dev.cagewright.audit.event.LogLine;
import dev.cagewright.audit.read.EventQuery;
import dev.cagewright.audit.read.EventReader;
import dev.cagewright.audit.read.StoredLine;
import dev.cagewright.supervisor.receipt.Receipt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The lines of one session, out of a log that others write too.
public final class SessionLines {
    /// So many bytes of lines are taken.
    private static final long MOST_BYTES = 256L << 20;

    private SessionLines() {}

    /// The lines in the log's order, from `receipt`'s first to the newest.
    ///
    /// @throws IOException if the log cannot be read, has bytes in that part that are no line, or the lines are too
    ///     large together
    public static List<LogLine> of(Path log, Receipt receipt) throws IOException {
        var found = new ArrayList<LogLine>();
        var session = receipt.run().session();
        long[] bytes = {0};
        try {
            new EventReader(log).newestFirst(EventQuery.ALL, stored -> {
                switch (stored) {
                    case StoredLine.Damaged(String reason) ->
                        throw new IOException("the log " + log + " has a line that is none: " + reason);
                    case StoredLine.Whole(LogLine line) -> {
                        if (line.seq() < receipt.log().first()) {
                            throw new Enough();
                        }
                        if (line.event().origin().session().equals(session)) {
                            bytes[0] += line.bytes().length;
                            if (bytes[0] > MOST_BYTES) {
                                throw new IOException("session " + session + " has more than " + MOST_BYTES
                                        + " bytes of lines in " + log);
                            }
                            found.addFirst(line);
                        }
                    }
                }
            });
        } catch (Enough _) {
            return found;
        }
        return found;
    }

    /// The lines before are of no interest.
    private static final class Enough extends IOException {
        private static final long serialVersionUID = 1;
    }
}
