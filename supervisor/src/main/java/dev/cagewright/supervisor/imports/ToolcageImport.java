package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Policies of toolcage (its schemas/policy-v0.yaml): one file a tool, much like a policy here. Toolcage ends a run
/// after
/// 30 seconds and keeps 1 MiB of its output; so does what is made of it.
final class ToolcageImport {
    private static final List<Integer> SECURE = List.of(443);
    private static final List<String> WORKSPACE = List.of("session-copy", "/workspace");
    private static final String NOTHING = "there is nothing like it here";

    private final Draft draft;

    ToolcageImport(Draft draft) {
        this.draft = draft;
    }

    void read(Section root) throws ImportException {
        root.text("min_isolation").ifPresent(word -> isolation(root, word));
        filesystem(root.section("fs"));
        network(root.section("net"));
        for (Section credential : root.sections("credentials")) {
            credential(credential);
        }
        exec(root.section("exec"));
        approval(root);
        draft.limit("timeout", "timeout", "30s");
        draft.limit("output", "output", "1MiB");
        root.rest(draft, NOTHING);
    }

    private void isolation(Section root, String word) {
        draft.put(root.path("min_isolation"), "min_isolation", Node.text(word));
    }

    private void filesystem(Section fs) throws ImportException {
        for (Section mount : fs.sections("mounts")) {
            var path = mount.text("path").orElse("");
            var mode = mount.text("mode").orElse("ro");
            var source = mount.text("source");
            if (path.equals("/workspace")
                    && source.filter(from -> !WORKSPACE.contains(from)).isEmpty()) {
                draft.grantWorkspace(access(mode, source.orElse("")));
            } else if (path.equals("/workspace")) {
                draft.leave(mount.path("source"), "/workspace is the folder that a run is started in: run --workspace");
            } else {
                draft.mountAs(mount.path("path"), path, source.orElse(path), mode);
            }
            mount.rest(draft, NOTHING);
        }
        fs.rest(draft, NOTHING);
    }

    private static Draft.Access access(String mode, String source) {
        if (!mode.equals("rw")) {
            return Draft.Access.READ;
        }
        return source.equals("session-copy") ? Draft.Access.COPY : Draft.Access.WRITE;
    }

    private void network(Section net) throws ImportException {
        var mode = net.text("mode").orElse("allowlist");
        for (Section host : net.sections("hosts")) {
            if (mode.equals("allowlist")) {
                host(host);
            } else {
                draft.leave(host.path("host"), "counts only in net.mode: allowlist");
            }
        }
        if (!List.of("allowlist", "none").contains(mode)) {
            draft.leave(net.path("mode"), mode + " is not carried over");
        }
        net.rest(draft, NOTHING);
    }

    private void host(Section host) throws ImportException {
        var word = host.has("alias") ? "alias" : "host";
        var name = host.text(word);
        if (name.isEmpty()) {
            draft.leave(host.path("host"), "an entry without a host");
            return;
        }
        var limits = new ArrayList<HostRule.Limit>();
        for (String key : List.of("methods", "paths")) {
            if (host.has(key)) {
                var texts = host.texts(key).stream()
                        .map(text -> Node.text(text.value()))
                        .toList();
                limits.add(new HostRule.Limit(key, Node.list(texts)));
            }
        }
        budget(host.section("budget"), limits);
        var rule = new HostRule(host.path(word), new HostRule.Target(word, name.get()), ports(host), limits);
        draft.allow(rule);
        host.rest(draft, NOTHING);
    }

    private List<Integer> ports(Section host) throws ImportException {
        var port = host.whole("port").filter(number -> number > 0 && number <= 65_535);
        return port.isPresent() ? List.of(port.get().intValue()) : SECURE;
    }

    private static void budget(Section budget, List<HostRule.Limit> limits) throws ImportException {
        Map<String, Node> amounts = new LinkedHashMap<>();
        for (String key : List.of("requests", "sent", "received")) {
            budget.word(key).ifPresent(amount -> amounts.put(key, Draft.plain(amount)));
        }
        if (!amounts.isEmpty()) {
            limits.add(new HostRule.Limit("budget", Draft.mapping(amounts)));
        }
    }

    private void credential(Section entry) throws ImportException {
        var name = entry.text("name");
        var hosts = entry.textOrTexts("use_with").stream()
                .map(text -> Node.text(text.value()))
                .toList();
        if (name.isEmpty()) {
            draft.leave(entry.path("name"), "an entry without a name");
            return;
        }
        var node = Node.mapping("name", Node.text(name.get()));
        var variable = entry.text("env");
        if (variable.isPresent()) {
            node = node.and("env", Node.text(variable.get()));
        }
        draft.credential(entry.path("name"), node.and("use_with", Node.list(hosts)));
        entry.rest(draft, NOTHING);
    }

    private void exec(Section exec) throws ImportException {
        if (exec.has("allowlist")) {
            var names = exec.texts("allowlist").stream()
                    .map(text -> Node.text(text.value()))
                    .toList();
            draft.put(exec.path("allowlist"), "exec", Node.mapping("allowlist", Node.list(names)));
        }
        exec.rest(draft, NOTHING);
    }

    /// Taken as it is where the reader takes it; what is asked about there and not here would be granted unasked.
    private void approval(Section root) throws ImportException {
        var node = root.value("approval");
        if (node.isEmpty()) {
            return;
        }
        var line = "approval: " + PolicyWriter.line(node.get());
        var why = PolicyCheck.refusal(line);
        if (why.isPresent()) {
            throw root.wrong("approval", "what is asked about there cannot be asked about here: " + why.get());
        }
        draft.put(root.path("approval"), "approval", node.get());
    }
}
