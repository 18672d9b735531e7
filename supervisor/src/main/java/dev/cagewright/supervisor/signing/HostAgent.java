package dev.cagewright.supervisor.signing;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The person's ssh agent, at its socket on the host. Each question has a connection of its own, and so long to be
/// answered as a person may take to agree (`ssh-add -c`). Safe for all threads.
final class HostAgent {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MOST_KEYS = 1_000;

    private final Path socket;

    HostAgent(Path socket) {
        this.socket = socket;
    }

    /// The keys that it has.
    ///
    /// @throws IOException if it does not answer, or says what it should not
    List<SigningKey> keys() throws IOException {
        var answer = ask(new byte[] {AgentWords.REQUEST_IDENTITIES});
        try {
            if (answer[0] != AgentWords.IDENTITIES_ANSWER) {
                throw new IOException(socket + " is no ssh agent: it does not say which keys it has");
            }
            var reader = new AgentWords.Reader(answer, 1);
            int count = reader.number();
            if (count < 0 || count > MOST_KEYS) {
                throw new IOException(socket + " has " + Integer.toUnsignedString(count) + " keys (expected: at most "
                        + MOST_KEYS + ")");
            }
            var keys = new ArrayList<SigningKey>();
            for (int i = 0; i < count; i++) {
                keys.add(new SigningKey(reader.string(), new String(reader.string(), StandardCharsets.UTF_8)));
            }
            return keys;
        } catch (IllegalArgumentException e) {
            throw new IOException(socket + " says something that no ssh agent says: " + e.getMessage(), e);
        }
    }

    /// Signs.
    ///
    /// @param flags of the request
    /// @return the agent's signature; empty if it, or its person, says no
    Optional<byte[]> sign(SigningKey key, byte[] data, int flags) throws IOException {
        var answer = ask(new AgentWords.Writer(AgentWords.SIGN_REQUEST)
                .string(key.blob())
                .string(data)
                .number(flags)
                .message());
        if (answer[0] != AgentWords.SIGN_RESPONSE) {
            return Optional.empty();
        }
        try {
            return Optional.of(new AgentWords.Reader(answer, 1).string());
        } catch (IllegalArgumentException e) {
            throw new IOException(socket + " gives a signature that is none: " + e.getMessage(), e);
        }
    }

    private byte[] ask(byte[] message) throws IOException {
        var done = new CountDownLatch(1);
        try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            Thread.ofVirtual().start(() -> cutOff(channel, done));
            var out = Channels.newOutputStream(channel);
            out.write(AgentWords.framed(message));
            InputStream in = Channels.newInputStream(channel);
            return AgentWords.read(in, AgentWords.MOST)
                    .orElseThrow(() -> new IOException(socket + " ends without an answer"));
        } catch (IOException e) {
            throw new IOException("the ssh agent cannot be asked: " + e.getMessage(), e);
        } finally {
            done.countDown();
        }
    }

    private static void cutOff(SocketChannel channel, CountDownLatch done) {
        try {
            if (!done.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                channel.close();
            }
        } catch (IOException _) {
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
