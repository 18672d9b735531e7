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
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// A file of servers with each program started in a cage of its own, and each server elsewhere asked through a session
/// of its own, under a policy of the person's policies folder.
public final class Wrapping {
    private static final int MAX_NAME = 50;

    /// What an entry has that is no program's.
    private static final Set<String> OF_AN_ADDRESS = Set.of("url", "httpUrl", "serverUrl", "headers");

    private final ServerFile file;
    private final StartingPolicy policy;
    private final Map<String, Wrapped> wrapped = new LinkedHashMap<>();

    /// A server and its policy.
    ///
    /// @param server a [Server.Program] or a [Server.Remote]
    /// @param policy the bare name of its policy
    public record Wrapped(Server server, String policy) {
        private static final String VALUE = "CAGEWRIGHT_HEADER_";

        /// What the client starts then, the program first.
        public List<String> words() {
            var words = new ArrayList<>(List.of("cagewright", "mcp", "wrap", "--policy", policy));
            switch (server) {
                case Server.Program program -> {
                    words.add("--");
                    words.addAll(program.words());
                }
                case Server.Remote remote -> {
                    words.addAll(List.of("--url", remote.url()));
                    remote.headers().entrySet().forEach(header -> {
                        words.add("--header");
                        words.add(header.getKey() + ": "
                                + (Variables.isIn(header.getValue())
                                        ? Variables.kept(header.getValue())
                                        : "%{" + variable(header.getKey()) + "}"));
                    });
                }
                case Server.Odd _ -> throw new IllegalStateException(server.name());
            }
            return words;
        }

        /// Values that must not stand among the words, where others see them: variables that the client sets.
        public Map<String, String> environment() {
            var variables = new LinkedHashMap<String, String>();
            if (server instanceof Server.Remote remote) {
                remote.headers().forEach((name, value) -> {
                    if (!Variables.isIn(value)) {
                        variables.put(variable(name), value);
                    }
                });
            }
            return variables;
        }

        private String variable(String header) {
            var names = server instanceof Server.Remote remote
                    ? List.copyOf(remote.headers().keySet())
                    : List.<String>of();
            return VALUE + (names.indexOf(header) + 1);
        }
    }

    public Wrapping(ServerFile file, StartingPolicy policy) {
        this.file = file;
        this.policy = policy;
        var taken = new LinkedHashSet<String>();
        for (Server server :
                Stream.concat(file.bare().stream(), file.remote().stream()).toList()) {
            wrapped.put(server.name(), new Wrapped(server, name(server.name(), taken)));
        }
    }

    /// `mcp-` and what of the server's name may stand in a policy's; a number behind it where two are the same.
    private static String name(String server, Set<String> taken) {
        var plain = server.replaceAll("[^A-Za-z0-9._-]", "-");
        var base = "mcp-" + plain.substring(0, Math.min(plain.length(), MAX_NAME));
        var name = base;
        for (int number = 2; !taken.add(name); number++) {
            name = base + "-" + number;
        }
        return name;
    }

    public List<Wrapped> wrapped() {
        return List.copyOf(wrapped.values());
    }

    /// The policy's text for one of them.
    public String policyOf(Wrapped one) {
        return switch (one.server()) {
            case Server.Program program -> policy.text(one.policy(), program);
            case Server.Remote remote -> policy.text(one.policy(), remote);
            case Server.Odd _ -> throw new IllegalStateException(one.policy());
        };
    }

    /// The file's text with them; all that is not the `command` and `args` of a program, or the entry of a server
    /// elsewhere, is as it was, byte for byte.
    ///
    /// @throws IOException if it would say anything else than it did
    public String text() throws IOException {
        var text = file.text();
        for (Wrapped one : wrapped.values()) {
            text = one.server() instanceof Server.Remote ? replaced(text, one) : with(text, one);
        }
        requireSameBut(text);
        return text;
    }

    private String replaced(String text, Wrapped one) throws IOException {
        var span = Spans.find(text, List.of(file.key(), one.server().name())).orElseThrow();
        try {
            var before = Json.parse(text.substring(span.from(), span.to()).getBytes(StandardCharsets.UTF_8));
            var after = expected(one.server().name(), before).write();
            return text.substring(0, span.from()) + after + text.substring(span.to());
        } catch (JsonSyntaxException e) {
            throw new IOException(file.path() + ": cannot be changed in place", e);
        }
    }

    private String with(String text, Wrapped one) {
        var path = List.of(file.key(), one.server().name());
        var words = one.words();
        var arguments = Json.of(words.subList(1, words.size())).write();
        var command = Spans.find(text, join(path, "command")).orElseThrow();
        var known = Spans.find(text, join(path, "args"));
        var changed = text;
        if (known.isEmpty()) {
            var both = Json.of(words.getFirst()).write() + ", \"args\": " + arguments;
            return changed.substring(0, command.from()) + both + changed.substring(command.to());
        }
        changed = changed.substring(0, known.get().from())
                + arguments
                + changed.substring(known.get().to());
        var moved = Spans.find(changed, join(path, "command")).orElseThrow();
        return changed.substring(0, moved.from()) + Json.of(words.getFirst()).write() + changed.substring(moved.to());
    }

    private static List<String> join(List<String> path, String last) {
        return List.of(path.get(0), path.get(1), last);
    }

    private void requireSameBut(String text) throws IOException {
        try {
            var before = (JsonObject) Json.parse(file.text().getBytes(StandardCharsets.UTF_8));
            var after = (JsonObject) Json.parse(text.getBytes(StandardCharsets.UTF_8));
            if (!expected(before).equals(after)) {
                throw new IOException(file.path() + ": cannot be changed in place without changing more");
            }
        } catch (JsonSyntaxException e) {
            throw new IOException(file.path() + ": cannot be changed in place", e);
        }
    }

    private JsonObject expected(JsonObject root) {
        var servers = new LinkedHashMap<String, JsonValue>();
        ((JsonObject) root.member(file.key()).orElseThrow())
                .members()
                .forEach((name, server) -> servers.put(name, expected(name, server)));
        var all = new LinkedHashMap<>(root.members());
        all.put(file.key(), new JsonObject(servers));
        return new JsonObject(all);
    }

    private JsonValue expected(String name, JsonValue server) {
        var one = wrapped.get(name);
        if (one == null || !(server instanceof JsonObject object)) {
            return server;
        }
        var members = new LinkedHashMap<>(object.members());
        if (one.server() instanceof Server.Remote) {
            members.keySet().removeAll(OF_AN_ADDRESS);
            members.computeIfPresent("type", (_, _) -> new JsonString("stdio"));
            if (!one.environment().isEmpty()) {
                members.put("env", environment(object, one.environment()));
            }
        }
        var words = one.words();
        members.put("command", new JsonString(words.getFirst()));
        var arguments = words.subList(1, words.size()).stream()
                .map(JsonString::new)
                .map(JsonValue.class::cast)
                .toList();
        members.put("args", new JsonArray(arguments));
        return new JsonObject(members);
    }

    private static JsonObject environment(JsonObject server, Map<String, String> more) {
        var variables = new LinkedHashMap<String, JsonValue>();
        if (server.member("env").orElse(JsonObject.EMPTY) instanceof JsonObject known) {
            variables.putAll(known.members());
        }
        more.forEach((name, value) -> variables.put(name, new JsonString(value)));
        return new JsonObject(variables);
    }

    /// Writes the file anew, whole or not at all, with the permissions that it had.
    public void write() throws IOException {
        var text = text();
        var path = file.path().toAbsolutePath();
        var folder = path.getParent() == null ? Path.of("/") : path.getParent();
        var fresh = Files.createTempFile(folder, ".cagewright-", ".json");
        try {
            Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(path));
            Files.writeString(fresh, text);
            if (!ServerFile.read(path).text().equals(file.text())) {
                throw new IOException(path + ": was changed meanwhile");
            }
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
