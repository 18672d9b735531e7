package dev.cagewright.escape.story;

import static dev.cagewright.escape.Outcome.fell;
import static dev.cagewright.escape.Outcome.held;

import dev.cagewright.escape.Invariant;
import dev.cagewright.escape.Outcome;
import dev.cagewright.escape.Probe;
import dev.cagewright.escape.Probe.Twin;
import dev.cagewright.escape.stage.CageRun;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A run under a token, whose caged program asks for tokens made of it.
record TokenStories(Stage stage) {
    private static final String SOCKET = "/run/cagewright/token/socket";
    private static final Pattern TOKEN = Pattern.compile("\"token\":\"(cwt1\\.[A-Za-z0-9_.-]+)\"");

    /// The caged program has no client of its own but an ordinary one.
    private static final String POLICY = Stage.WORKSPACE
            + "net: {mode: allowlist, hosts: [{host: api.test}]}\n"
            + "resources: {processes: 256, memory: 1GiB, timeout: 5m}\n";

    List<Probe> probes() {
        var less = Twin.shared("ask for less", this::narrower);
        return List.of(
                attack(less, "token-wider-from-the-cage", "ask for more than the session's token grants", this::wider),
                attack(less, "token-foreign-from-the-cage", "have another chain's token narrowed", this::foreign),
                attack(less, "token-key-in-the-cage", "find the key or the session's own token in the cage", this::key),
                attack(
                        less,
                        "token-from-another-cage",
                        "reach the counter from a cage without a token",
                        this::elsewhere));
    }

    private Probe attack(Twin less, String id, String act, Attempt attempt) {
        return new Probe(id, Invariant.I3, act, less, new Twin(act, attempt::made));
    }

    /// Something that is tried.
    @FunctionalInterface
    private interface Attempt {
        Outcome made() throws IOException, InterruptedException;
    }

    private Command.Result product(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(stage.product().command().toString()));
        all.addAll(List.of(words));
        try (var command = Command.start(stage.person().does(all), stage.base(), stage.environment())) {
            return command.await();
        }
    }

    private Path in(String name) {
        return stage.home().resolve(name);
    }

    private void mint(String rev, Path at) throws IOException, InterruptedException {
        if (Files.notExists(in("k.key.hex"))) {
            product("token", "keygen", "--out-prefix", in("k").toString());
        }
        if (Files.notExists(at)) {
            var made = product(
                    "token",
                    "mint",
                    "--key-hex",
                    in("k.key.hex").toString(),
                    "--rev",
                    rev,
                    "--actions",
                    "http.request,proc.exec,fs.read,fs.write",
                    "--hosts",
                    "api.test",
                    "--methods",
                    "GET,POST",
                    "--paths",
                    "/repos/**",
                    "--mounts",
                    "rw:/workspace",
                    "-o",
                    at.toString());
            if (made.exit() != 0) {
                throw new AssertionError("no token: " + made);
            }
        }
    }

    private CageRun run() throws IOException, InterruptedException {
        mint("root-1", in("root.tok"));
        return stage.cage(POLICY)
                .with(
                        "--token",
                        in("root.tok").toString(),
                        "--key-hex",
                        in("k.key.hex").toString());
    }

    private Command.Result asked(String wish) throws IOException, InterruptedException {
        return run().run("curl", "-sS", "--unix-socket", SOCKET, "-d", wish, "http://token/v1/attenuate");
    }

    private Outcome narrower() throws IOException, InterruptedException {
        var result = asked("{\"methods\":[\"GET\"],\"name\":\"sub\"}");
        var token = TOKEN.matcher(result.out());
        if (result.exit() != 0 || !token.find()) {
            return fell(result.toString());
        }
        var file = Files.createTempFile(stage.home(), "child", ".tok");
        Files.writeString(file, token.group(1) + "\n");
        stage.person().own(file);
        var verified = product(
                "token", "verify", file.toString(), "--key-hex", in("k.key.hex").toString());
        return verified.exit() == 0 && verified.toString().contains("sub") ? held("works") : fell("" + verified);
    }

    private Outcome wider() throws IOException, InterruptedException {
        for (String wish : List.of("{\"hosts\":[\"*\"]}", "{\"paths\":[\"/**\"]}", "{\"expires_in\":\"100h\"}")) {
            var result = asked(wish);
            if (!result.out().contains("\"code\":\"token:wider\"")
                    || TOKEN.matcher(result.out()).find()) {
                return fell(result.toString());
            }
        }
        return held("refused");
    }

    private Outcome foreign() throws IOException, InterruptedException {
        mint("root-2", in("other.tok"));
        var other = Files.readString(in("other.tok")).strip();
        var result = asked("{\"parent\":\"" + other + "\"}");
        return result.out().contains("\"code\":\"token:foreign\"") ? held("refused") : fell(result.toString());
    }

    private Outcome key() throws IOException, InterruptedException {
        mint("root-1", in("root.tok"));
        var key = Files.readString(in("k.key.hex")).strip();
        var own = Files.readString(in("root.tok")).strip();
        var said = run().run("env") + ""
                + run().run("ls", "-la", "/run/cagewright/token")
                + run().run("curl", "-sS", "--unix-socket", SOCKET, "http://token/v1/token")
                + Look.text(stage.audit());
        for (String secret : List.of(key, own, own.substring(own.lastIndexOf('.')))) {
            if (said.contains(secret)) {
                return fell(said);
            }
        }
        var file = run().run("cat", in("k.key.hex").toString());
        return file.exit() != 0 && file.out().isEmpty() ? held("nowhere") : fell(file.toString());
    }

    private Outcome elsewhere() throws IOException, InterruptedException {
        var result = stage.cage(POLICY).run("ls", "/run/cagewright/token");
        return result.exit() != 0 && result.out().isEmpty() ? held("not there") : fell(result.toString());
    }
}
