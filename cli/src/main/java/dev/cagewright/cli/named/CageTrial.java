package dev.cagewright.cli.named;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A real cage around the workspace of a named one, built to see whether that works here, and thrown away: programs in
/// it speak TLS to its gateway. Its record is its own, in a folder that is gone afterwards.
///
/// @param words the product's own commands
/// @param workspace is given read-only
record CageTrial(Words words, Path workspace) {
    private static final String ASKED = "https://cagewright.internal/v1/allowlist";

    private static final String PYTHON = """
            import urllib.request
            urllib.request.urlopen("ASKED", timeout=20).read()
            """;

    private static final String NODE = """
            require("https").get("ASKED", a => process.exit(a.statusCode === 200 ? 0 : 1))
              .on("error", e => { console.error(e.message); process.exit(1) })
            """;

    /// What came out.
    ///
    /// @param runtime can the cage be built?
    /// @param trust do programs in it trust its gateway?
    record Result(Finding runtime, Finding trust) {}

    Result run() throws IOException {
        var folder = Files.createTempDirectory("cagewright-verify-");
        try {
            return in(folder);
        } finally {
            try (var files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private Result in(Path folder) throws IOException {
        var scripts = Files.createDirectory(folder.resolve("scripts"));
        Files.writeString(scripts.resolve("ask.py"), PYTHON.replace("ASKED", ASKED));
        Files.writeString(scripts.resolve("ask.cjs"), NODE.replace("ASKED", ASKED));
        var policy = Files.writeString(folder.resolve("policy.yaml"), policy(scripts));
        var built = ran(folder, policy, List.of("true"));
        if (built.code() != 0) {
            return new Result(
                    Finding.bad("runtime", why(built) + " (cagewright doctor says what this host lacks)"),
                    Finding.none("trust", "not tried, for there is no cage"));
        }
        return new Result(Finding.ok("runtime", "a cage around the workspace was built"), trust(folder, policy));
    }

    private static String policy(Path scripts) {
        return """
                tool: verify
                min_isolation: namespaces
                fs:
                  mounts:
                    - {path: /workspace, mode: ro}
                    - {path: /verify, mode: ro, source: %s}
                net: {mode: allowlist, hosts: [{host: verify.invalid}]}
                resources: {timeout: 60s}
                """.formatted(new JsonString(scripts.toString()).write());
    }

    private Finding trust(Path folder, Path policy) {
        var clients = new LinkedHashMap<String, List<String>>();
        clients.put("curl", List.of("curl", "-sS", "-f", "-o", "/dev/null", "--max-time", "20", ASKED));
        clients.put("python3", List.of("python3", "/verify/ask.py"));
        clients.put("node", List.of("node", "/verify/ask.cjs"));
        var trusting = new ArrayList<String>();
        for (var client : clients.entrySet()) {
            var said = ran(folder, policy, client.getValue());
            if (said.code() == 0) {
                trusting.add(client.getKey());
            } else if (said.code() != ExitCode.NOT_FOUND.code()) {
                return Finding.bad(
                        "trust",
                        client.getKey() + " did not get an answer of the cage's gateway over TLS: " + why(said)
                                + " (SSL_CERT_FILE and its like in the policy or the scaffold may name other roots)");
            }
        }
        return trusting.isEmpty()
                ? Finding.none("trust", "not tried: the cage sees no curl, python3 or node")
                : Finding.ok("trust", String.join(", ", trusting) + " trust the cage's gateway");
    }

    private Words.Said ran(Path folder, Path policy, List<String> program) {
        var line = new ArrayList<>(List.of(
                "run",
                "--json",
                "--no-input",
                "--approvals",
                "never",
                "--workspace",
                workspace.toString(),
                "--policy",
                policy.toString(),
                "--"));
        line.addAll(program);
        return words.heard(Map.of("XDG_STATE_HOME", folder.toString()), line);
    }

    /// The last line that anybody said.
    private static String why(Words.Said said) {
        var lines = (said.err() + "\n" + stderr(said.out()))
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.isEmpty()
                ? "it ended with " + said.code()
                : lines.getLast().replaceFirst("^cagewright: ", "");
    }

    private static String stderr(String json) {
        try {
            return Json.parse(json.strip()) instanceof JsonObject told
                    ? told.member("stderr").map(CageTrial::text).orElse(json.strip())
                    : "";
        } catch (JsonSyntaxException _) {
            return "";
        }
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(String text) ? text : value.write();
    }
}
