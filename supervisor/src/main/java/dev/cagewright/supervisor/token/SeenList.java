package dev.cagewright.supervisor.token;

import dev.cagewright.policy.token.RevocationList;
import dev.cagewright.policy.token.TokenFault;
import dev.cagewright.policy.token.UnknownRevocationsException;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/// How new a list of one key this machine has seen, and at what time: one line in a file of the person's state. Neither
/// may go back. Whoever calls has the key's [TokenLock].
final class SeenList {
    /// How far the clock may go back, in seconds.
    private static final long SKEW = 60;

    private static final int MOST = 256;

    private static final Pattern LINE =
            Pattern.compile("counter ([1-9][0-9]{0,17}) sha256 ([0-9a-f]{64}) time ([0-9]{1,12})\n");

    private final Path file;
    private final InstantSource clock;

    SeenList(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    private record Seen(long counter, String digest, long time) {
        String line() {
            return "counter " + counter + " sha256 " + digest + " time " + time + "\n";
        }
    }

    /// Was any list of the key ever seen?
    boolean isEmpty() throws UnknownRevocationsException {
        return read().isEmpty();
    }

    /// Takes note of a list.
    ///
    /// @param text of it
    /// @throws UnknownRevocationsException if it is older than one that was seen, or another with the same
    ///     counter; if the clock went back; or if it cannot be noted
    void note(RevocationList list, byte[] text) throws UnknownRevocationsException {
        var before = read();
        long now = clock.instant().getEpochSecond();
        var fresh = new Seen(
                list.counter(),
                digest(text),
                Math.max(now, before.map(Seen::time).orElse(0L)));
        if (before.isPresent()) {
            requireForward(before.get(), fresh, now);
        }
        boolean isWorthWriting = before.isEmpty()
                || before.get().counter() < fresh.counter()
                || before.get().time() + SKEW < fresh.time();
        if (isWorthWriting) {
            write(fresh);
        }
    }

    private static void requireForward(Seen before, Seen fresh, long now) throws UnknownRevocationsException {
        if (now < before.time() - SKEW) {
            throw new UnknownRevocationsException(
                    TokenFault.CLOCK,
                    "this machine's clock is " + (before.time() - now)
                            + " s behind a time that it has shown already; set it right");
        }
        if (fresh.counter() < before.counter()) {
            throw new UnknownRevocationsException("it is older than one seen before: its counter is " + fresh.counter()
                    + ", and " + before.counter() + " was seen");
        }
        if (fresh.counter() == before.counter() && !fresh.digest().equals(before.digest())) {
            throw new UnknownRevocationsException(
                    "another list with the same counter, " + fresh.counter() + ", was seen before");
        }
    }

    private Optional<Seen> read() throws UnknownRevocationsException {
        try {
            var line = LINE.matcher(new String(OwnerFile.read(file, MOST), StandardCharsets.ISO_8859_1));
            if (!line.matches()) {
                throw new UnknownRevocationsException(file + " does not say what was seen before");
            }
            return Optional.of(new Seen(Long.parseLong(line.group(1)), line.group(2), Long.parseLong(line.group(3))));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UnknownRevocationsException("what was seen before cannot be read: " + e.getMessage());
        }
    }

    private void write(Seen seen) throws UnknownRevocationsException {
        try {
            OwnerFile.write(file, seen.line().getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UnknownRevocationsException("that it was seen cannot be noted: " + e.getMessage());
        }
    }

    private static String digest(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
