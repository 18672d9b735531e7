package dev.cagewright.supervisor.vault;

import dev.cagewright.sandbox.host.HostProgram;
import dev.cagewright.secrets.store.Refresh;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.SecretValue;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;

/// Values as they come from outside: a stream or a command's output, without the one line feed that may end them.
public final class RawValue {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST = SecretValue.MOST + 1;

    private RawValue() {}

    /// Reads a stream to its end.
    ///
    /// @throws IllegalArgumentException if what comes is no value; the message does not show it
    public static SecretValue of(InputStream in) throws IOException {
        var buffer = new byte[MOST + 1];
        try {
            int read = in.readNBytes(buffer, 0, buffer.length);
            return trimmed(buffer, read);
        } finally {
            Arrays.fill(buffer, (byte) 0);
        }
    }

    /// Asks the command, outside of any cage, with the person's rights; its complaints go to the person.
    ///
    /// @throws StoreException if it does not end well or gives no value
    public static SecretValue of(Refresh refresh) throws StoreException {
        var program = new HostProgram(refresh.command(), PATIENCE, MOST, HostProgram.Complaints.SHOWN);
        try (var answer = program.ask(new byte[0])) {
            if (!answer.isGood()) {
                throw new StoreException("the command that gives the secret ended with " + answer.status()
                        + " (expected: 0, and the value on its standard output; nothing was changed)");
            }
            return trimmed(answer.out(), answer.out().length);
        } catch (IllegalArgumentException e) {
            throw new StoreException("the command that gives the secret: " + e.getMessage(), e);
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException("the command that gives the secret: " + e.getMessage(), e);
        }
    }

    /// A value at the beginning of `bytes`, which stay the caller's.
    public static SecretValue trimmed(byte[] bytes, int length) {
        int end = length > 0 && bytes[length - 1] == '\n' ? length - 1 : length;
        var exact = Arrays.copyOf(bytes, end);
        try {
            return SecretValue.copyOf(exact);
        } finally {
            Arrays.fill(exact, (byte) 0);
        }
    }
}
