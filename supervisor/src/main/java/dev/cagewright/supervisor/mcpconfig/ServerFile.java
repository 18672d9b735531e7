package dev.cagewright.supervisor.mcpconfig;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One file of a client's and the servers in it: `mcpServers` (Claude, Cursor, Gemini) or `servers` (VS Code), JSON
/// without comments, at most 1 MiB and 1,000 servers.
///
/// @param text as it stands in the file
/// @param key the member that holds the servers
public record ServerFile(Path path, String text, String key, List<Server> servers) {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_SERVERS = 1_000;
    private static final List<String> KEYS = List.of("mcpServers", "servers");

    public ServerFile {
        servers = List.copyOf(servers);
    }

    /// Reads a file; a link is not followed.
    ///
    /// @throws IOException saying what is wrong with it
    public static ServerFile read(Path path) throws IOException {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(
                    path + ": " + (Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? "no regular file" : "no such file"));
        }
        byte[] bytes;
        try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        }
        try {
            if (!(Json.parse(bytes, MAX_BYTES) instanceof JsonObject root)) {
                throw new IOException(path + ": no JSON object");
            }
            return of(path, new String(bytes, StandardCharsets.UTF_8), root);
        } catch (JsonSyntaxException e) {
            throw new IOException(path + ": " + e.getMessage() + " (JSON without comments is read)", e);
        }
    }

    private static ServerFile of(Path path, String text, JsonObject root) throws IOException {
        for (String key : KEYS) {
            if (root.member(key).orElse(null) instanceof JsonObject members) {
                if (members.members().size() > MAX_SERVERS) {
                    throw new IOException(path + ": more than " + MAX_SERVERS + " servers");
                }
                var servers = members.members().entrySet().stream()
                        .map(ServerFile::server)
                        .toList();
                return new ServerFile(path, text, key, servers);
            }
        }
        throw new IOException(path + ": names no servers (expected: " + String.join(" or ", KEYS) + ")");
    }

    private static Server server(Map.Entry<String, JsonValue> entry) {
        var name = entry.getKey();
        if (!(entry.getValue() instanceof JsonObject object)) {
            return new Server.Odd(name, "is no object");
        }
        var address = object.text("url").or(() -> object.text("httpUrl")).or(() -> object.text("serverUrl"));
        var command = object.text("command");
        if (command.isPresent() && address.isEmpty()) {
            var arguments = texts(object.member("args"));
            return arguments.isEmpty()
                    ? new Server.Odd(name, "args is no list of texts")
                    : new Server.Program(name, command.get(), arguments.get(), variables(object));
        }
        if (address.isPresent() && command.isEmpty()) {
            return remote(name, address.get(), object);
        }
        return new Server.Odd(name, "has neither a command as a text nor an address, or has both");
    }

    private static Optional<List<String>> texts(Optional<JsonValue> value) {
        if (value.isEmpty()) {
            return Optional.of(List.of());
        }
        if (!(value.get() instanceof JsonArray array)) {
            return Optional.empty();
        }
        var texts = new ArrayList<String>();
        for (JsonValue item : array.items()) {
            if (!(item instanceof JsonString(String text))) {
                return Optional.empty();
            }
            texts.add(text);
        }
        return Optional.of(texts);
    }

    private static List<String> variables(JsonObject object) {
        return object.member("env").orElse(null) instanceof JsonObject variables
                ? List.copyOf(variables.members().keySet())
                : List.of();
    }

    private static Server remote(String name, String address, JsonObject object) {
        if (object.text("type").filter("sse"::equals).isPresent()) {
            return new Server.Odd(
                    name,
                    "is spoken to by HTTP+SSE, as it was in 2024-11-05, which is not spoken here (type: http is)");
        }
        var headers = new LinkedHashMap<String, String>();
        if (object.member("headers").orElse(JsonObject.EMPTY) instanceof JsonObject given) {
            given.members().keySet().forEach(one -> given.text(one).ifPresent(value -> headers.put(one, value)));
            if (headers.size() == given.members().size()) {
                return new Server.Remote(name, address, headers);
            }
        }
        return new Server.Odd(name, "headers is no object of texts");
    }

    /// Its servers elsewhere.
    List<Server.Remote> remote() {
        return servers.stream()
                .filter(Server.Remote.class::isInstance)
                .map(Server.Remote.class::cast)
                .toList();
    }

    /// Its programs that no cage is around yet.
    public List<Server.Program> bare() {
        return servers.stream()
                .filter(Server.Program.class::isInstance)
                .map(Server.Program.class::cast)
                .filter(program -> !program.isCaged())
                .toList();
    }

    /// The variables that the file sets for one of its servers, with their values, which may be secrets; those that are
    /// no
    /// texts are left out.
    public Map<String, String> environment(String server) {
        var found = new LinkedHashMap<String, String>();
        try {
            if (Json.parse(text.getBytes(StandardCharsets.UTF_8), MAX_BYTES) instanceof JsonObject root
                    && root.member(key).orElse(JsonObject.EMPTY) instanceof JsonObject all
                    && all.member(server).orElse(JsonObject.EMPTY) instanceof JsonObject one
                    && one.member("env").orElse(JsonObject.EMPTY) instanceof JsonObject variables) {
                variables
                        .members()
                        .keySet()
                        .forEach(name -> variables.text(name).ifPresent(value -> found.put(name, value)));
            }
            return found;
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException(e); // it was read before
        }
    }
}
