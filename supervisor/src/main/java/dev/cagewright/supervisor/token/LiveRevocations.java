package dev.cagewright.supervisor.token;

import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.RevocationList;
import dev.cagewright.policy.token.Revocations;
import dev.cagewright.policy.token.UnknownRevocationsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is revoked, for as long as somebody asks: the file is looked at again when it has changed, at most every
/// [#PAUSE], and a list that is refused, or gone, refuses everybody until there is a good one. Safe for all threads.
public final class LiveRevocations implements Revocations {
    /// How old an answer may be.
    public static final Duration PAUSE = Duration.ofMillis(200);

    private final RevocationFile file;
    private String mark = "";
    private long looked;
    private @Nullable RevocationList list;
    private UnknownRevocationsException why = new UnknownRevocationsException("nobody has looked yet");

    public LiveRevocations(RevocationFile file) {
        this.file = file;
    }

    @Override
    public synchronized Optional<RevId> firstOf(List<RevId> lineage) throws UnknownRevocationsException {
        long now = System.nanoTime();
        if (mark.isEmpty() || now - looked > PAUSE.toNanos()) {
            look();
            looked = now;
        }
        var known = list;
        if (known == null) {
            throw new UnknownRevocationsException(why.fault(), String.valueOf(why.getMessage()));
        }
        return known.firstOf(lineage);
    }

    /// A list that was refused is tried again each time: what was wrong may lie elsewhere.
    private void look() {
        var current = mark(file.path());
        if (list != null && current.equals(mark)) {
            return;
        }
        mark = current;
        try {
            list = file.read();
        } catch (UnknownRevocationsException e) {
            list = null;
            why = e;
        }
    }

    /// What differs when the file does.
    private static String mark(Path file) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return attributes.fileKey() + " " + attributes.size() + " " + attributes.lastModifiedTime();
        } catch (IOException e) {
            return e.getClass().getName();
        }
    }
}
