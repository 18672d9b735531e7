package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.engine.PolicyDiff;
import dev.cagewright.policy.engine.Terms;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A grant as a lasting rule of a policy file, whose comments, order and style stay as they are.
///
/// @param policy the file as it was read
/// @param text of the file with the rule
/// @param changes what the file newly allows and denies
public record Promotion(LoadedPolicy policy, String text, List<PolicyDiff.Change> changes) {
    private static final List<String> HOSTS = List.of("net", "hosts");

    public Promotion {
        changes = List.copyOf(changes);
    }

    /// Prepares it; nothing is written.
    ///
    /// @throws IllegalArgumentException if the file has no place for it
    /// @throws PolicySyntaxException if the file is no policy, or would be none
    /// @throws BadPolicyException likewise
    public static Promotion of(GrantRecord record, LoadedPolicy policy)
            throws PolicySyntaxException, BadPolicyException {
        requireNetwork(policy);
        var before = new String(policy.bytes().toByteArray(), StandardCharsets.UTF_8);
        var text = new PolicyWriter(policy.name(), before).withItem(HOSTS, rule(record));
        var after = PolicyFiles.read(policy.name(), text);
        CompiledPolicy.compile(after);
        return new Promotion(policy, text, PolicyDiff.between(policy.document(), after, Terms.ALONE));
    }

    private static void requireNetwork(LoadedPolicy policy) {
        if (policy.document()
                .net()
                .filter(net -> net.reach() == NetSection.Reach.NONE)
                .isPresent()) {
            throw new IllegalArgumentException("policy: " + policy.name()
                    + ": net.mode is none, and a rule would change nothing (expected: a policy with a network)");
        }
    }

    private static Node rule(GrantRecord record) {
        var opening = record.grant().opening();
        var rule = Node.mapping("host", Node.text(opening.host().value()))
                .and("methods", texts(opening.methods().stream().sorted().toList()));
        if (!isEverything(opening)) {
            rule = rule.and(
                    "paths",
                    texts(opening.paths().stream().map(Object::toString).toList()));
        }
        if (!opening.ports().equals(Set.copyOf(Opening.USUAL_PORTS))) {
            rule = rule.and(
                    "port",
                    Node.list(opening.ports().stream().sorted().map(Node::whole).toList()));
        }
        return record.addresses().isEmpty() ? rule : rule.and("addresses", texts(record.addresses()));
    }

    private static boolean isEverything(Opening opening) {
        return opening.paths().stream().anyMatch(path -> path.toString().equals("/**"));
    }

    private static Node texts(List<String> texts) {
        return Node.list(texts.stream().map(Node::text).toList());
    }

    /// Puts the new text in the place of the old one, whole or not at all, with its owner and mode.
    ///
    /// @throws IOException if the file is not any more what was read, or cannot be replaced; it stands as it was
    public void write() throws IOException {
        var file = policy.file();
        var fresh = file.resolveSibling("." + file.getFileName() + ".new-" + Long.toHexString(System.nanoTime()));
        try {
            fill(fresh);
            keepOwner(file, fresh);
            requireAsRead(file);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
        OwnerFile.flushName(file);
    }

    private void fill(Path fresh) throws IOException {
        var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        try (var channel = FileChannel.open(fresh, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static void keepOwner(Path file, Path fresh) throws IOException {
        var old = Files.getFileAttributeView(file, PosixFileAttributeView.class).readAttributes();
        var own = Files.getFileAttributeView(fresh, PosixFileAttributeView.class);
        if (!own.readAttributes().owner().equals(old.owner())) {
            own.setOwner(old.owner());
        }
        if (!own.readAttributes().group().equals(old.group())) {
            own.setGroup(old.group());
        }
        own.setPermissions(old.permissions());
    }

    private void requireAsRead(Path file) throws IOException {
        if (!Objects.equals(ByteString.copyOf(Files.readAllBytes(file)), policy.bytes())) {
            throw new IOException("policy: " + policy.name()
                    + " was changed meanwhile, and nothing was written (expected: try again)");
        }
    }
}
