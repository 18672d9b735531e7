package dev.cagewright.supervisor.ticket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Where answers are taken: on this machine alone.
public sealed interface AnswerPlace {
    /// A unix socket, 0600, whose peers are the person's own processes.
    record Socket(Path path) implements AnswerPlace {}

    /// A port of the loopback address; 0 for any that is free.
    ///
    /// @param literal `127.0.0.1` or `[::1]`
    record Loopback(String literal, int port) implements AnswerPlace {
        /// `::1` is fifteen zeros and a one.
        InetAddress address() throws UnknownHostException {
            var bytes = literal.equals("127.0.0.1") ? new byte[] {127, 0, 0, 0} : new byte[16];
            bytes[bytes.length - 1] = 1;
            return InetAddress.getByAddress(bytes);
        }
    }

    /// Reads `unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`.
    ///
    /// @throws IllegalArgumentException naming the accepted forms
    static AnswerPlace parse(String text) {
        if (text.startsWith("unix:") && text.length() > 5) {
            return new Socket(Path.of(text.substring(5)).toAbsolutePath());
        }
        int colon = text.lastIndexOf(':');
        var literal = colon < 0 ? "" : text.substring(0, colon);
        var port = text.substring(colon + 1);
        boolean isLoopback = literal.equals("127.0.0.1") || literal.equals("[::1]");
        if (!isLoopback || !port.matches("0|[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException("--listen: \"" + text
                    + "\" (expected: unix:PATH, 127.0.0.1:PORT or [::1]:PORT; port 0 is any free one)");
        }
        return new Loopback(literal, Integer.parseInt(port));
    }

    /// Begins to listen.
    ///
    /// @throws IOException if something is there already
    default ServerSocketChannel bound() throws IOException {
        return switch (this) {
            case Socket(Path path) -> bound(path);
            case Loopback here -> ServerSocketChannel.open().bind(new InetSocketAddress(here.address(), here.port()));
        };
    }

    /// Made inside a folder that nobody else may enter, and moved to its name once it is the owner's alone.
    private static ServerSocketChannel bound(Path path) throws IOException {
        if (Files.exists(path)) {
            throw new IOException(
                    path + " is there already (expected: a name of its own; remove it if nobody listens)");
        }
        var folder = Files.createTempDirectory(path.getParent(), ".cw-");
        var fresh = folder.resolve("s");
        var listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listening.bind(UnixDomainSocketAddress.of(fresh));
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            Files.createLink(path, fresh);
            return listening;
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        } finally {
            Files.deleteIfExists(fresh);
            Files.deleteIfExists(folder);
        }
    }
}
