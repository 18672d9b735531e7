package dev.cagewright.network;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A proxy on loopback that takes CONNECT and knows every name: all of them are on loopback, at the port that
/// was asked for.
final class CompanyProxy implements AutoCloseable {
    final List<String> asked = new CopyOnWriteArrayList<>();
    private final ServerSocket server;

    CompanyProxy() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int b = socket.getInputStream().read();
                if (b < 0) {
                    return;
                }
                head.append((char) b);
            }
            var target = head.substring("CONNECT ".length(), head.indexOf(" HTTP/1.1"));
            asked.add(target);
            int port = Integer.parseInt(target.substring(target.lastIndexOf(':') + 1));
            try (var onwards = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                Thread.ofVirtual().start(() -> pump(socket, onwards));
                pump(onwards, socket);
            }
        } catch (IOException e) {
            asked.add("broken: " + e);
        }
    }

    private static void pump(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            in.transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException _) {
            return; // the other direction tells
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
