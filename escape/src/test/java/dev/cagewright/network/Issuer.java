package dev.cagewright.network;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.policy.action.HostName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// An authorization server, `auth.test`, and an API that takes its tokens, `api.test`, both over https on loopback: the
/// device code grant (RFC 8628), the code grant with PKCE (RFC 7636), refresh tokens that are good once (RFC 6749
/// section 6), and giving them back (RFC 7009). Remembers every token it made.
final class Issuer implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    /// Every token that was ever given.
    final List<String> tokens = new CopyOnWriteArrayList<>();

    /// `Authorization` of each call of the API, in order.
    final List<String> calls = new CopyOnWriteArrayList<>();

    /// What is put into each answer of the token end point that has tokens, e.g. `"legacy_token":"..."`.
    volatile String more = "";

    /// Whether such an answer is compressed though nobody asked for it: `gzip`, or something that nobody knows.
    volatile String coding = "";

    private final SecureRandom random = new SecureRandom();
    private final CageAuthority authority = CageAuthority.create("issuer");
    private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Integer> polls = new HashMap<>();
    private final Map<String, String> challenges = new HashMap<>();
    private final List<String> access = new ArrayList<>();
    private final List<String> refresh = new ArrayList<>();
    private final HttpsServer auth;
    private final HttpsServer api;

    Issuer() throws IOException, GeneralSecurityException {
        auth = server("auth.test");
        api = server("api.test");
        auth.createContext("/device", this::device);
        auth.createContext("/oauth/token", this::token);
        auth.createContext("/oauth/revoke", this::revoke);
        auth.createContext("/loose/token", this::token);
        api.createContext("/me", this::me);
        auth.start();
        api.start();
    }

    private HttpsServer server(String name) throws IOException, GeneralSecurityException {
        var leaf = authority.leafFor(new HostName(name));
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(name, leaf.key(), new char[0], leaf.chain().toArray(Certificate[]::new));
        var keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        var server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.setExecutor(serving);
        return server;
    }

    int authPort() {
        return auth.getAddress().getPort();
    }

    int apiPort() {
        return api.getAddress().getPort();
    }

    Path roots(Path folder) throws IOException, GeneralSecurityException {
        var text =
                Base64.getMimeEncoder().encodeToString(authority.certificate().getEncoded());
        return Files.writeString(
                folder.resolve("issuer.pem"), "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    }

    /// What a browser does once its person has agreed: a code for that challenge.
    synchronized String agree(String challenge) {
        var code = fresh("code-");
        challenges.put(code, challenge);
        return code;
    }

    private String fresh(String prefix) {
        var bytes = new byte[24];
        random.nextBytes(bytes);
        return prefix + HEX.formatHex(bytes);
    }

    private void device(HttpExchange exchange) throws IOException {
        say(
                exchange,
                200,
                "{\"device_code\":\"" + fresh("device-") + "\",\"user_code\":\"ABCD-EFGH\",\"interval\":0,"
                        + "\"verification_uri\":\"https://auth.test/activate\"}");
    }

    private void token(HttpExchange exchange) throws IOException {
        var form = form(exchange);
        var answer = switch (form.getOrDefault("grant_type", "")) {
            case "urn:ietf:params:oauth:grant-type:device_code" -> byDevice(form.getOrDefault("device_code", ""));
            case "authorization_code" -> byCode(form);
            case "refresh_token" -> byRefresh(form.getOrDefault("refresh_token", ""));
            default -> "{\"error\":\"unsupported_grant_type\"}";
        };
        say(exchange, answer.startsWith("{\"error\"") ? 400 : 200, answer);
    }

    private synchronized String byDevice(String code) {
        return polls.merge(code, 1, Integer::sum) < 2 ? "{\"error\":\"authorization_pending\"}" : granted();
    }

    private synchronized String byCode(Map<String, String> form) {
        var challenge = challenges.remove(form.getOrDefault("code", ""));
        return challenge != null && challenge.equals(challenge(form.getOrDefault("code_verifier", "")))
                ? granted()
                : "{\"error\":\"invalid_grant\"}";
    }

    private static String challenge(String verifier) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized String byRefresh(String token) {
        return refresh.remove(token) ? granted() : "{\"error\":\"invalid_grant\"}";
    }

    private synchronized String granted() {
        access.clear();
        access.add(fresh("at-"));
        refresh.add(fresh("rt-"));
        var id = webToken("{\"sub\":\"u1\",\"email\":\"ada@example.com\",\"plan\":\"pro\"}");
        tokens.addAll(List.of(access.getLast(), refresh.getLast(), id));
        return "{\"token_type\":\"Bearer\",\"access_token\":\"" + access.getLast() + "\",\"refresh_token\":\""
                + refresh.getLast() + "\",\"id_token\":\"" + id + "\",\"expires_in\":3600" + more + "}";
    }

    private String webToken(String claims) {
        var base64 = Base64.getUrlEncoder().withoutPadding();
        var signature = new byte[64];
        random.nextBytes(signature);
        return base64.encodeToString("{\"alg\":\"ES256\"}".getBytes(StandardCharsets.US_ASCII)) + "."
                + base64.encodeToString(claims.getBytes(StandardCharsets.US_ASCII)) + "."
                + base64.encodeToString(signature);
    }

    private void revoke(HttpExchange exchange) throws IOException {
        var token = form(exchange).getOrDefault("token", "");
        boolean wasGood;
        synchronized (this) {
            wasGood = refresh.remove(token) || access.remove(token);
        }
        say(exchange, 200, "{\"revoked\":" + wasGood + "}");
    }

    private void me(HttpExchange exchange) throws IOException {
        var shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        calls.add(shown);
        boolean isGood;
        synchronized (this) {
            isGood = shown.startsWith("Bearer ") && access.contains(shown.substring("Bearer ".length()));
        }
        say(exchange, isGood ? 200 : 401, isGood ? "{\"you\":\"ada\",\"shown\":\"" + shown + "\"}" : "{\"you\":null}");
    }

    private static Map<String, String> form(HttpExchange exchange) throws IOException {
        var text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var form = new LinkedHashMap<String, String>();
        for (String pair : text.split("&", -1)) {
            var parts = pair.split("=", 2);
            form.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return form;
    }

    private void say(HttpExchange exchange, int status, String text) throws IOException {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        boolean isPacked = !coding.isEmpty() && text.contains("access_token");
        if (isPacked) {
            var packed = new ByteArrayOutputStream();
            try (var out = new GZIPOutputStream(packed)) {
                out.write(bytes);
            }
            bytes = packed.toByteArray();
            exchange.getResponseHeaders().set("Content-Encoding", coding);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    @Override
    public void close() {
        auth.stop(0);
        api.stop(0);
        serving.shutdownNow();
    }
}
