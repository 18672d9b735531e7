package dev.cagewright.network;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cagewright.escape.stage.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Programs in a cage with a network, started as a person would.
///
/// @param folder holds the workspace, the state and what else there is
/// @param prefix words before the product's
record AttackedCage(Path folder, Path policy, List<String> prefix) {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();

    /// A cage by this policy's `net.hosts`.
    static AttackedCage by(Path folder, String... hosts) throws IOException {
        Files.createDirectories(folder.resolve("workspace"));
        var text = new StringBuilder("tool: attacked\nfs: {mounts: [{path: /workspace, mode: rw}]}\nnet:\n  hosts:\n");
        for (String host : hosts) {
            text.append("    - {").append(host).append("}\n");
        }
        return new AttackedCage(folder, Files.writeString(folder.resolve("policy.yaml"), text), List.of());
    }

    /// The same on a host whose one name server is the test's.
    AttackedCage asking(String nameServer) throws IOException {
        var conf = Files.writeString(folder.resolve("resolv.conf"), "nameserver " + nameServer + "\n");
        var mounted = "mount --bind \"$1\" /etc/resolv.conf && shift && exec \"$@\"";
        return new AttackedCage(folder, policy, List.of("unshare", "-m", "sh", "-c", mounted, "sh", conf.toString()));
    }

    Path workspace() {
        return folder.resolve("workspace");
    }

    /// Runs a script of Python's; one that this machine does not have is skipped with that reason.
    Command python(String script, Object... words) throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "/usr/bin/python3 is not on this machine");
        var argv = new ArrayList<>(List.of(
                "/usr/bin/python3",
                Files.writeString(workspace().resolve("attack.py"), script).toString()));
        for (Object word : words) {
            argv.add(word.toString());
        }
        return start(argv);
    }

    Command start(List<String> argv) throws IOException {
        var words = new ArrayList<>(prefix);
        words.addAll(List.of(PRODUCT.toString(), "run", "--quiet", "--policy", policy.toString(), "--"));
        words.addAll(argv);
        var environment = new HashMap<>(System.getenv());
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        environment.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
        return Command.start(words, workspace(), environment);
    }

    /// The audit log so far.
    String log() throws IOException {
        return Files.readString(folder.resolve("state/cagewright/audit.jsonl"));
    }
}
