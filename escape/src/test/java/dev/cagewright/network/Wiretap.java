package dev.cagewright.network;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A server on an address of the host that keeps every byte it gets, and answers each head with 200.
final class Wiretap implements AutoCloseable {
    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\ntapped".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket server;
    private final List<ByteArrayOutputStream> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

    /// @param port 0 for any
    Wiretap(String address, int port) throws IOException {
        server = new ServerSocket(port, 200, InetAddress.ofLiteral(address));
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /// The requests that came, one after the other on each connection; none had a body.
    List<String> heard() {
        return heard.stream()
                .map(bytes -> bytes.toString(StandardCharsets.ISO_8859_1))
                .flatMap(text -> Stream.of(text.split("(?<=\r\n\r\n)", -1)))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    boolean isUntouched() {
        return heard.isEmpty();
    }

    /// Connections that nobody has closed.
    int open() {
        return open.get();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                var bytes = new ByteArrayOutputStream();
                heard.add(bytes);
                open.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, bytes));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket socket, ByteArrayOutputStream bytes) {
        try (socket) {
            var in = socket.getInputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
                if (bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                    socket.getOutputStream().write(ANSWER);
                }
            }
        } catch (IOException _) {
            // whoever it was has gone
        } finally {
            open.decrementAndGet();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
