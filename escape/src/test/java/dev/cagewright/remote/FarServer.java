package dev.cagewright.remote;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.HostName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// An MCP server `mcp.test` of the session era, over https on loopback, that wants a token and has a tool that says
/// which it was.
final class FarServer implements AutoCloseable {
    /// `Authorization` of each request.
    final List<String> shown = new CopyOnWriteArrayList<>();

    private final CageAuthority authority = CageAuthority.create("far");
    private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpsServer server;

    FarServer() throws IOException, GeneralSecurityException {
        var leaf = authority.leafFor(new HostName("mcp.test"));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("mcp.test", leaf.key(), new char[0], leaf.chain().toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", this::answer);
        server.setExecutor(serving);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "https://mcp.test:" + port() + "/mcp";
    }

    /// A file with the certificate that the server's own leads to.
    Path roots(Path folder) throws IOException, GeneralSecurityException {
        var text =
                Base64.getMimeEncoder().encodeToString(authority.certificate().getEncoded());
        return Files.writeString(
                folder.resolve("far.pem"), "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    }

    private void answer(HttpExchange exchange) throws IOException {
        var token = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        shown.add(token);
        var body = exchange.getRequestBody().readAllBytes();
        if (token.isEmpty() || !exchange.getRequestMethod().equals("POST")) {
            send(exchange, token.isEmpty() ? 401 : 405, "");
            return;
        }
        try {
            var message = (JsonObject) Json.parse(body);
            var id = message.member("id").map(JsonValue::write);
            send(
                    exchange,
                    id.isEmpty() ? 202 : 200,
                    id.map(known -> "{'jsonrpc':'2.0','id':" + known + ","
                                    + outcome(message.text("method").orElse(""), token) + "}")
                            .orElse(""));
        } catch (JsonSyntaxException _) {
            send(exchange, 400, "");
        }
    }

    private static String outcome(String method, String token) {
        return switch (method) {
            case "initialize" ->
                "'result':{'protocolVersion':'2025-11-25','capabilities':{'tools':{}},'serverInfo':{'name':'far','version':'1'}}";
            case "tools/list" -> "'result':{'tools':[{'name':'say','inputSchema':{'type':'object'}}]}";
            case "tools/call" -> "'result':{'content':[{'type':'text','text':'you are " + token + "'}]}";
            default -> "'error':{'code':-32601,'message':'Method not found'}";
        };
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        serving.shutdownNow();
    }
}
