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

/// A file of servers with each program started in a cage of its own, under a policy of the person's policies folder.
public final class Wrapping {
    private static final int MAX_NAME = 50;

    private final ServerFile file;
    private final StartingPolicy policy;
    private final Map<String, Wrapped> wrapped = new LinkedHashMap<>();

    /// A program and its cage.
    ///
    /// @param policy the bare name of its policy
    public record Wrapped(Server.Program program, String policy) {
        /// What the client starts then, the program first.
        public List<String> words() {
            var words = new ArrayList<>(List.of("cagewright", "mcp", "wrap", "--policy", policy, "--"));
            words.add(program.command());
            words.addAll(program.arguments());
            return words;
        }
    }

    public Wrapping(ServerFile file, StartingPolicy policy) {
        this.file = file;
        this.policy = policy;
        var taken = new LinkedHashSet<String>();
        for (Server.Program program : file.bare()) {
            wrapped.put(program.name(), new Wrapped(program, name(program.name(), taken)));
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
        return policy.text(one.policy(), one.program());
    }

    /// The file's text with them; all that is not their `command` and `args` is as it was, byte for byte.
    ///
    /// @throws IOException if it would say anything else than it did
    public String text() throws IOException {
        var text = file.text();
        for (Wrapped one : wrapped.values()) {
            text = with(text, one);
        }
        requireSameBut(text);
        return text;
    }

    private String with(String text, Wrapped one) {
        var path = List.of(file.key(), one.program().name());
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
        var words = one.words();
        members.put("command", new JsonString(words.getFirst()));
        var arguments = words.subList(1, words.size()).stream()
                .map(JsonString::new)
                .map(JsonValue.class::cast)
                .toList();
        members.put("args", new JsonArray(arguments));
        return new JsonObject(members);
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
