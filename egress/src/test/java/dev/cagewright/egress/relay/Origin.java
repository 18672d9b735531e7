package dev.cagewright.egress.relay;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A server on 127.0.0.1 that does for each connection what a test says, with the bytes as they are.
final class Origin implements AutoCloseable {
    final List<String> heads = new CopyOnWriteArrayList<>();
    private final ServerSocket server;
    private final Thread accepting;

    /// What happens on one connection; it is closed afterwards.
    @FunctionalInterface
    interface Script {
        void play(Talk talk) throws IOException;
    }

    Origin(ServerSocket server, Script script) {
        this.server = server;
        this.accepting = Thread.ofVirtual().start(() -> accept(script));
    }

    static Origin clear(Script script) throws IOException {
        return new Origin(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept(Script script) {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket, script));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket socket, Script script) {
        try (socket) {
            script.play(new Talk(socket, new BufferedInputStream(socket.getInputStream()), heads));
        } catch (IOException e) {
            heads.add("broken: " + e);
        }
    }

    /// One connection of the origin.
    record Talk(Socket socket, InputStream in, List<String> heads) {
        /// The next head, with its lines' ends as `|`; remembered. Empty at the end.
        String head() throws IOException {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = in.read();
                if (b < 0) {
                    return "";
                }
                head.append((char) b);
            }
            var text = head.substring(0, head.length() - 4).replace("\r\n", "|");
            heads.add(text);
            return text;
        }

        String bytes(int count) throws IOException {
            return new String(in.readNBytes(count), StandardCharsets.ISO_8859_1);
        }

        void say(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }

        /// Closes so that the other end sees a reset.
        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    /// When it returns, nobody can connect: until whoever accepts has noticed, the kernel takes connections still.
    @Override
    public void close() throws IOException {
        server.close();
        try {
            accepting.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
