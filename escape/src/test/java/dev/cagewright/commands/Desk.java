package dev.cagewright.commands;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.policy.action.ByteString;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One person's folders with a workspace, a policy and the packaged product. For one test.
///
/// @param root everything lies below it
/// @param variables of the person
record Desk(Path root, Map<String, String> variables) {
    static final Path PRODUCT = Path.of("..", "cagewright").toAbsolutePath().normalize();

    /// A program that does one thing a word: ends, dies, waits, writes. The deaf one starts no other: where Ctrl-Z
    /// stops a
    /// child before its exec, a shell that made it by vfork(2) stands still without being stopped.
    private static final String ACT = """
            #!/bin/sh
            case "$1" in
            exit) exit "$2" ;;
            kill) kill -"$2" $$; sleep 5 ;;
            trap) trap ': > trapped; echo trapped; exit 7' TERM INT HUP; : > ready; echo ready; while :; do sleep 0.05; done ;;
            deaf) trap ': > heard; echo heard' INT; : > ready; echo ready; while [ ! -e go ]; do :; done; exit 9 ;;
            bytes) shift; for word; do printf '[%s]' "$word"; done | od -An -v -tx1 | tr -d ' \\n' ;;
            wait) : > ready; echo ready; sleep "$2" ;;
            flood) head -c 1500000 /dev/zero | tr '\\0' o; head -c 1500000 /dev/zero | tr '\\0' e >&2; exit 5 ;;
            text) i=0; while [ $i -lt 400 ]; do printf '%s' "$2"; i=$((i + 1)); done ;;
            say) printf '%s' "$2" ;;
            complain) printf '%s' "$2" >&2 ;;
            place) pwd; ls; cat note 2>/dev/null ;;
            stty) stty raw -echo intr ^X; printf '\\033[?1049h'; echo ready; kill -KILL $$ ;;
            esac
            """;

    private static final String POLICY = """
            tool: acts
            min_isolation: namespaces
            fs:
              mounts:
                - {path: /workspace, mode: rw}
            net: {mode: none}
            exec: {allowlist: ["ACT", sleep, od, head, ls, cat, tr, stty]}
            resources: {timeout: TIMEOUT, output: OUTPUT, processes: 64}
            """;

    /// What a command left.
    ///
    /// @param exit its code, 128 + n after signal n
    record Result(int exit, ByteString output, String err) {
        byte[] outBytes() {
            return output.toByteArray();
        }

        String out() {
            return new String(outBytes(), StandardCharsets.UTF_8);
        }

        JsonObject json() throws JsonSyntaxException {
            return (JsonObject) Json.parse(outBytes());
        }

        @Override
        public String toString() {
            return "exit " + exit + "\nout: " + out().strip() + "\nerr: " + err.strip();
        }
    }

    /// Below `root`, with the usual workspace and policy.
    static Desk in(Path root) throws IOException {
        var variables = new LinkedHashMap<>(System.getenv());
        variables.put("XDG_STATE_HOME", root.resolve("state").toString());
        variables.put("XDG_CONFIG_HOME", root.resolve("config").toString());
        variables.put("HOME", Files.createDirectories(root.resolve("home")).toString());
        variables.put("TERM", "xterm");
        variables.keySet().removeAll(List.of("NO_COLOR", "LC_ALL", "LANG", "LC_CTYPE"));
        var desk = new Desk(root, variables);
        desk.workspace("workspace");
        desk.policy("policy.yaml", "workspace", "30s", "1MiB");
        return desk;
    }

    Desk with(String name, String value) {
        var changed = new LinkedHashMap<>(variables);
        changed.put(name, value);
        return new Desk(root, changed);
    }

    Path workspace() {
        return root.resolve("workspace");
    }

    String act() {
        return workspace().resolve("act").toString();
    }

    String policy() {
        return root.resolve("policy.yaml").toString();
    }

    Path log() {
        return root.resolve("state/cagewright/audit.jsonl");
    }

    /// A folder with the acting program in it.
    Path workspace(String name) throws IOException {
        var folder = Files.createDirectories(root.resolve(name));
        var act = Files.writeString(folder.resolve("act"), ACT);
        Files.setPosixFilePermissions(act, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    /// A policy for the acting program of `workspace`.
    String policy(String file, String workspace, String timeout, String output) throws IOException {
        var text = POLICY.replace("ACT", root.resolve(workspace).resolve("act").toString())
                .replace("TIMEOUT", timeout)
                .replace("OUTPUT", output);
        return Files.writeString(root.resolve(file), text).toString();
    }

    String write(String file, String text) throws IOException {
        var path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text).toString();
    }

    /// Runs the acting program under the usual policy.
    Result act(String... words) throws IOException, InterruptedException {
        return product(act("run", List.of(), words));
    }

    List<String> act(String command, List<String> options, String... words) {
        var all = new ArrayList<>(List.of(command, "--policy", policy()));
        all.addAll(options);
        all.addAll(List.of("--", act()));
        all.addAll(List.of(words));
        return all;
    }

    Result product(String... words) throws IOException, InterruptedException {
        return product(List.of(words));
    }

    Result product(List<String> words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of(PRODUCT.toString()));
        all.addAll(words);
        return host(all);
    }

    /// A shell line of the person's with the product as `$0` and `words` as its parameters.
    Result shell(String line, String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("bash", "-c", line, PRODUCT.toString()));
        all.addAll(List.of(words));
        return host(all);
    }

    /// Any command, in the workspace and without input.
    Result host(List<String> words) throws IOException, InterruptedException {
        var err = Files.createTempFile(root, "said", ".err");
        var process = start(words, ProcessBuilder.Redirect.to(err.toFile()));
        process.getOutputStream().close();
        var out = process.getInputStream().readAllBytes();
        return new Result(process.waitFor(), ByteString.copyOf(out), Files.readString(err, StandardCharsets.UTF_8));
    }

    /// Starts any command in the workspace.
    Process start(List<String> words, ProcessBuilder.Redirect err) throws IOException {
        var builder = new ProcessBuilder(words).directory(workspace().toFile()).redirectError(err);
        builder.environment().clear();
        builder.environment().putAll(variables);
        return builder.start();
    }
}
