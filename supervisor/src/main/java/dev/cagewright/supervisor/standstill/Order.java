package dev.cagewright.supervisor.standstill;

import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a person wants of a run that stands still: a word in the file `order` of the session's folder, beside the mark
/// `standstill`, which is there as long as the run stands. Safe for all processes.
public enum Order {
    RESUME,
    END;

    private static final String FILE = "standstill.order";
    private static final String MARK = "standstill";
    private static final int LONGEST = 16;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Does the run of this session stand still? Of one whose supervisor was killed the mark stays.
    ///
    /// @param session the session's folder
    public static boolean isAwaited(Path session) {
        return Files.isRegularFile(session.resolve(MARK), LinkOption.NOFOLLOW_LINKS);
    }

    /// Tells the session's supervisor, which obeys within a second.
    ///
    /// @throws IOException if it cannot be written
    public void give(Path session) throws IOException {
        OwnerFile.write(session.resolve(FILE), word().getBytes(StandardCharsets.US_ASCII));
    }

    /// What was told; empty if nothing was, or nothing that is known.
    static Optional<Order> given(Path session) {
        try {
            var text = new String(OwnerFile.read(session.resolve(FILE), LONGEST), StandardCharsets.US_ASCII);
            return Arrays.stream(values())
                    .filter(one -> one.word().equals(text))
                    .findFirst();
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /// An order is awaited from now on; one that was there before is not meant.
    static void await(Path session) throws IOException {
        Files.deleteIfExists(session.resolve(FILE));
        OwnerFile.write(session.resolve(MARK), new byte[0]);
    }

    /// None is awaited any more.
    static void settled(Path session) {
        for (String name : new String[] {FILE, MARK}) {
            try {
                Files.deleteIfExists(session.resolve(name));
            } catch (IOException _) {
                return; // the session's end says more than the mark
            }
        }
    }
}
