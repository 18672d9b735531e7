package dev.cagewright.network;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/// A server on loopback with an answer of each kind, and one that becomes a WebSocket and says everything again.
final class Answers implements AutoCloseable {
    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key: (\\S+)");
    private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final ServerSocket sockets;

    Answers() throws IOException {
        var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = HttpServer.create(anyPort, 50);
        server.createContext("/ok/gzip", exchange -> gzip(exchange));
        server.createContext(
                "/ok/binary", exchange -> answer(exchange, new byte[] {0, 1, 2, (byte) 0xff}, "image/png"));
        server.createContext(
                "/ok/chunked", exchange -> answer(exchange, text("in chunks"), "text/plain; charset=utf-8"));
        server.createContext("/ok/large", exchange -> answer(exchange, new byte[3_000_000], "text/plain"));
        server.createContext("/ok/cookie", exchange -> {
            exchange.getResponseHeaders().add("Set-Cookie", "sid=s3cr3t; Path=/; Secure");
            answer(exchange, text("have one"), "text/plain");
        });
        server.setExecutor(serving);
        server.start();
        sockets = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        serving.execute(this::accept);
    }

    int port() {
        return server.getAddress().getPort();
    }

    int socketPort() {
        return sockets.getLocalPort();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void gzip(HttpExchange exchange) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(text("hello gzip"));
        }
        exchange.getResponseHeaders().add("Content-Encoding", "gzip");
        answer(exchange, out.toByteArray(), "text/plain");
    }

    /// Of 9 bytes: without a length.
    private static void answer(HttpExchange exchange, byte[] body, String type) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length == 9 ? 0 : body.length);
        try (var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private void accept() {
        while (!sockets.isClosed()) {
            try {
                var socket = sockets.accept();
                serving.execute(() -> talk(socket));
            } catch (IOException _) {
                return;
            }
        }
    }

    private static void talk(Socket socket) {
        try (socket) {
            var in = socket.getInputStream();
            var key = KEY.matcher(head(in));
            if (!key.find()) {
                return;
            }
            socket.getOutputStream()
                    .write(text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + accept(key.group(1)) + "\r\n\r\n"));
            while (echo(in, socket)) {}
        } catch (IOException | GeneralSecurityException _) {
            return;
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        return head.toString();
    }

    private static String accept(String key) throws GeneralSecurityException {
        var sha = MessageDigest.getInstance("SHA-1");
        return Base64.getEncoder().encodeToString(sha.digest(text(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")));
    }

    /// Short messages, which are masked.
    private static boolean echo(InputStream in, Socket socket) throws IOException {
        var head = in.readNBytes(2);
        if (head.length < 2 || (head[0] & 0xf) == 8) {
            return false;
        }
        var mask = in.readNBytes(4);
        var payload = in.readNBytes(head[1] & 0x7f);
        var frame = new byte[2 + payload.length];
        frame[0] = head[0];
        frame[1] = (byte) payload.length;
        for (int i = 0; i < payload.length; i++) {
            frame[2 + i] = (byte) (payload[i] ^ mask[i & 3]);
        }
        socket.getOutputStream().write(frame);
        return true;
    }

    @Override
    public void close() throws IOException {
        server.stop(0);
        sockets.close();
        serving.shutdownNow();
    }
}
