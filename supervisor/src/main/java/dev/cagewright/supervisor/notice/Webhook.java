package dev.cagewright.supervisor.notice;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.supervisor.state.OwnerFile;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// An address of the person's own that hears of questions: a setting of theirs, 0600 in the state folder, which no
/// policy names and no cage reaches.
///
/// @param address `https`, or `http` to this very machine
/// @param key shared with whoever receives
public record Webhook(URI address, WebhookKey key) {
    private static final String FILE = "webhook.json";
    private static final int LONGEST = 8 << 10;
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

    public Webhook {
        requireAllowed(address);
    }

    private static void requireAllowed(URI address) {
        var host = address.getHost();
        boolean isSafe = Objects.equals(address.getScheme(), "https")
                || (Objects.equals(address.getScheme(), "http") && host != null && HERE.contains(host));
        if (!isSafe || host == null || address.getUserInfo() != null || address.getFragment() != null) {
            throw new IllegalArgumentException(
                    "webhook: (expected: https://HOST/PATH, or http:// to localhost; no user, no fragment)");
        }
    }

    /// A webhook to `address` with a new key.
    ///
    /// @throws IllegalArgumentException naming the accepted forms
    public static Webhook to(String address) {
        return new Webhook(uri(address), WebhookKey.random());
    }

    private static URI uri(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("webhook: no address: " + e.getReason(), e);
        }
    }

    /// The one of this person.
    ///
    /// @throws IOException if there is one that cannot be read
    public static Optional<Webhook> load(StateFolders folders) throws IOException {
        var file = file(folders);
        try {
            if (Json.parse(OwnerFile.read(file, LONGEST), LONGEST) instanceof JsonObject json) {
                return Optional.of(new Webhook(
                        uri(json.text("address").orElse("")),
                        WebhookKey.parse(json.text("key").orElse(""))));
            }
            throw new IOException(file + " is no webhook (expected: cagewright webhook set ADDRESS)");
        } catch (NoSuchFileException _) {
            return Optional.empty();
        } catch (JsonSyntaxException | IllegalArgumentException e) {
            throw new IOException(file + " is no webhook: " + e.getMessage(), e);
        }
    }

    private static Path file(StateFolders folders) {
        return folders.state().resolve(FILE);
    }

    /// Keeps this as the one of this person.
    public void store(StateFolders folders) throws IOException {
        folders.sessions(); // makes the state folder, for its owner alone
        OwnerFile.write(
                file(folders),
                Json.object()
                        .put("address", address.toString())
                        .put("key", key.text())
                        .build()
                        .bytes());
    }

    /// Forgets it.
    ///
    /// @return whether there was one
    public static boolean remove(StateFolders folders) throws IOException {
        return Files.deleteIfExists(file(folders));
    }

    /// Where it goes, without what an address may hold of a secret.
    public String place() {
        return address.getScheme() + "://" + address.getAuthority();
    }

    /// No more than [#place()].
    @Override
    public String toString() {
        return place();
    }

    /// Sends one message, once. Redirects are not followed; whatever is answered besides the status is dropped.
    ///
    /// @param id the same for each attempt of one message, so that a receiver can tell
    /// @throws IOException if it may not have arrived
    public void send(String id, JsonObject message) throws IOException, InterruptedException {
        var body = message.bytes();
        long now = Instant.now().getEpochSecond();
        var request = HttpRequest.newBuilder(address)
                .timeout(DEADLINE)
                .header("Content-Type", "application/json")
                .header("User-Agent", "cagewright")
                .header("Webhook-Id", id)
                .header("Webhook-Timestamp", Long.toString(now))
                .header("Webhook-Signature", key.signature(id, now, body))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try (var client = HttpClient.newBuilder()
                .connectTimeout(DEADLINE)
                .followRedirects(Redirect.NEVER)
                .version(HttpClient.Version.HTTP_1_1)
                .build()) {
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            client.shutdownNow();
            if (status < 200 || status > 299) {
                throw new IOException(place() + " answered " + status);
            }
        }
    }
}
