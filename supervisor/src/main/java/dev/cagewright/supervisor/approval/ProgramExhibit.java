package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.ActionDigest;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.sandbox.files.HostFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A program that is to be started: its words, its place, the variables, and the contents of the workspace's files that
/// its words name. For one thread.
public final class ProgramExhibit implements Exhibit {
    /// The most files whose contents are covered; words beyond name no more of them.
    static final int MOST_FILES = 64;

    /// The largest file, bytes; a larger one cannot be approved.
    static final long MOST_BYTES = 256L << 20;

    private final Action.ProcExec program;
    private final ByteString workspace;
    private final Map<ByteString, ByteString> variables;

    /// @param workspace an absolute path of the host, the same in the cage
    /// @param variables of whoever asks
    public ProgramExhibit(Action.ProcExec program, ByteString workspace, Map<ByteString, ByteString> variables) {
        this.program = program;
        this.workspace = workspace;
        this.variables = new TreeMap<>(variables);
    }

    /// A file of the workspace that a word names.
    ///
    /// @param path below the workspace
    private record Operand(String path, long size, ByteString sha256) {
        String line() {
            return path + ": " + size + " bytes, SHA-256 " + HexFormat.of().formatHex(sha256.toByteArray(), 0, 8)
                    + "...";
        }
    }

    @Override
    public ByteString digest() throws IOException {
        var digest = ActionDigest.begin(program).bytes(workspace).number(variables.size());
        variables.forEach((name, value) -> digest.bytes(name).bytes(value));
        for (Operand operand : operands()) {
            digest.text(operand.path()).bytes(operand.sha256());
        }
        return digest.end();
    }

    @Override
    public List<String> lines() throws IOException {
        var lines = new ArrayList<String>();
        lines.add("in " + program.workingDirectory());
        operands().forEach(operand -> lines.add(operand.line()));
        return lines;
    }

    private List<Operand> operands() throws IOException {
        var found = new ArrayList<Operand>();
        try (var top = HostFolder.open(workspace)) {
            for (ByteString word : program.argv()) {
                var inside = word.utf8().flatMap(this::inside);
                if (inside.isPresent() && found.size() < MOST_FILES) {
                    operand(top, inside.get()).ifPresent(found::add);
                }
            }
        }
        return found;
    }

    /// The path below the workspace that a word may be, links followed: what they lead to is what runs.
    private Optional<Path> inside(String word) {
        var top = workspace.utf8();
        if (top.isEmpty() || word.isEmpty()) {
            return Optional.empty();
        }
        var root = Path.of(top.get());
        var path = Path.of(program.workingDirectory().value()).resolve(word).normalize();
        try {
            var real = path.startsWith(root) ? path.toRealPath() : root;
            return real.startsWith(root) && !real.equals(root) ? Optional.of(root.relativize(real)) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    private static Optional<Operand> operand(HostFolder top, Path path) throws IOException {
        var parent = path.getParent();
        var name = ByteString.of(path.getFileName().toString());
        if (parent == null) {
            return content(top, name, path);
        }
        try (var folder = top.folder(ByteString.of(parent.toString())).orElse(null)) {
            return folder == null ? Optional.empty() : content(folder, name, path);
        }
    }

    private static Optional<Operand> content(HostFolder folder, ByteString name, Path path) throws IOException {
        var entry = folder.look(name);
        if (entry.isEmpty() || !entry.get().isFile()) {
            return Optional.empty();
        }
        if (entry.get().size() > MOST_BYTES) {
            throw new IOException(path + " has " + entry.get().size() + " bytes (expected: at most " + MOST_BYTES
                    + " of a file that a person is to approve)");
        }
        var sha256 = sha256();
        try (var file = folder.read(name)) {
            file.drainTo((bytes, length) -> sha256.update(bytes, 0, length));
        }
        return Optional.of(new Operand(path.toString(), entry.get().size(), ByteString.copyOf(sha256.digest())));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
