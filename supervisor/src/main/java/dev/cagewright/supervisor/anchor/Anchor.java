package dev.cagewright.supervisor.anchor;

import dev.cagewright.audit.checkpoint.Checkpoint;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/// A place that checkpoints are carried to.
public sealed interface Anchor {
    /// Reads a place: an `http://` or `https://` address, or a file's path.
    ///
    /// @throws IllegalArgumentException for any other address
    static Anchor parse(String text) {
        int scheme = text.indexOf("://");
        if (scheme < 0) {
            return new OfFile(Path.of(text).toAbsolutePath());
        }
        try {
            var address = new URI(text);
            var name = text.substring(0, scheme).toLowerCase(Locale.ROOT);
            if ((name.equals("http") || name.equals("https")) && address.getHost() != null) {
                return new OfAddress(address);
            }
        } catch (URISyntaxException _) {
            // falls through to the one refusal
        }
        throw new IllegalArgumentException(
                "--anchor: \"" + text + "\" (expected: a file, or an address with http:// or https://)");
    }

    /// Carries `checkpoint` there.
    ///
    /// @throws IOException if it may not have arrived
    void publish(Checkpoint checkpoint) throws IOException, InterruptedException;

    /// As it was given.
    String text();

    /// A file that notes are appended to, each in one write under a lock, durable before [#publish] returns. Best on
    /// another machine's file system, or on one that only lets itself be appended to (`chattr +a`).
    record OfFile(Path file) implements Anchor {
        @Override
        public void publish(Checkpoint checkpoint) throws IOException {
            var options = Set.of(
                    StandardOpenOption.WRITE,
                    StandardOpenOption.APPEND,
                    StandardOpenOption.CREATE,
                    LinkOption.NOFOLLOW_LINKS);
            var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
            try (var out = FileChannel.open(file, options, mode);
                    var _ = out.lock()) {
                var note = ByteBuffer.wrap(checkpoint.bytes());
                long before = out.size();
                if (out.write(note) < note.limit()) {
                    out.truncate(before);
                    throw new IOException("anchor " + file + ": only a part of the checkpoint could be written");
                }
                out.force(true);
            }
        }

        @Override
        public String text() {
            return file.toString();
        }
    }

    /// An address that notes are posted to. Any answer of 200 to 299 counts as arrived; redirects are not followed.
    record OfAddress(URI address) implements Anchor {
        /// How long an answer may take.
        static final Duration DEADLINE = Duration.ofSeconds(10);

        @Override
        public void publish(Checkpoint checkpoint) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(address)
                    .timeout(DEADLINE)
                    .header("Content-Type", "text/plain; charset=utf-8")
                    .POST(BodyPublishers.ofByteArray(checkpoint.bytes()))
                    .build();
            try (var client = HttpClient.newBuilder()
                    .connectTimeout(DEADLINE)
                    .followRedirects(Redirect.NEVER)
                    .build()) {
                int status = client.send(request, BodyHandlers.discarding()).statusCode();
                client.shutdownNow();
                if (status < 200 || status > 299) {
                    throw new IOException("anchor " + address + ": answered " + status);
                }
            }
        }

        @Override
        public String text() {
            return address.toString();
        }
    }
}
