package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.PolicyWriter;
import dev.cagewright.supervisor.policyfile.yaml.Node;
import dev.cagewright.supervisor.policyfile.yaml.Position;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// The policy that is being made, and what could not be carried over. Everything that is added is first tried on the
/// product's own reader: what it would refuse is left out with its words. One thread.
final class Draft {
    private static final int MOST_ITEMS = 2_000;

    private static final List<String> ORDER =
            List.of("min_isolation", "command", "fs", "net", "credentials", "exec", "approval", "resources", "capture");

    private final Map<String, Node> top = new LinkedHashMap<>();
    private final Map<String, Node> resources = new LinkedHashMap<>();
    private final Map<Path, Node> mounts = new LinkedHashMap<>();
    private final List<String> hidden = new ArrayList<>();
    private final List<HostRule> hosts = new ArrayList<>();
    private final List<HostRule.Denied> denied = new ArrayList<>();
    private final List<Node> credentials = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private Access workspace = Access.NONE;

    /// What a cage may do with its workspace, the least first.
    enum Access {
        NONE,
        READ,
        /// Write to a copy, of which a person takes what they want.
        COPY,
        WRITE
    }

    void leave(String key, String why) {
        remarks.add(Remark.of(Remark.Fate.LEFT_OUT, key, why));
    }

    void narrow(String key, String why) {
        remarks.add(Remark.of(Remark.Fate.NARROWED, key, why));
    }

    /// As [#narrow], unless the same was said before.
    void narrowOnce(String key, String why) {
        var remark = Remark.of(Remark.Fate.NARROWED, key, why);
        if (!remarks.contains(remark)) {
            remarks.add(remark);
        }
    }

    /// Sets a key at the top, or leaves it out with the reader's words.
    void put(String key, String word, Node value) {
        if (isTaken(key, word + ": " + PolicyWriter.line(value))) {
            top.put(word, value);
        }
    }

    void limit(String key, String word, String value) {
        var node = plain(value);
        if (isTaken(key, "resources: {" + word + ": " + value + "}")) {
            resources.put(word, node);
        }
    }

    /// A number or a quantity, which needs no quotes.
    static Node plain(String text) {
        return text.matches("[0-9.]+")
                ? new Node.Scalar(text, Node.Notation.PLAIN, Position.START, Position.START)
                : Node.text(text);
    }

    /// A word that means something else than a text.
    static Node plainWord(String word) {
        return new Node.Scalar(word, Node.Notation.PLAIN, Position.START, Position.START);
    }

    void grantWorkspace(Access access) {
        workspace = access.compareTo(workspace) > 0 ? access : workspace;
    }

    /// Takes rights at the workspace away; says so if there was more.
    void boundWorkspace(Access most, String key, String why) {
        if (workspace.compareTo(most) > 0) {
            workspace = most;
            narrow(key, why);
        }
    }

    Access workspace() {
        return workspace;
    }

    /// @param path in the cage
    /// @param source on the host, or a word
    void mount(String key, Path path, String source, String mode) {
        var node = Node.mapping("path", Node.text(path.toString())).and("mode", Node.text(mode));
        var whole = source.equals(path.toString()) ? node : node.and("source", Node.text(source));
        if (mounts.containsKey(path)) {
            leave(key, "something else is mounted at " + path + " already");
        } else if (isTaken(key, "fs: {mounts: [" + PolicyWriter.line(whole) + "]}")) {
            mounts.put(path, whole);
        }
    }

    /// A mount as a source has it.
    void mountAs(String key, String path, String source, String mode) {
        if (path.startsWith("/") && path.indexOf('\0') < 0) {
            mount(key, Path.of(path), source, mode);
        } else {
            leave(key, "its path is not absolute");
        }
    }

    /// A folder of this machine at its own path, to be read, unless it is not there.
    ///
    /// @return whether it is mounted
    boolean folder(String key, Path path) {
        if (Places.isFolder(path)) {
            mount(key, path, path.toString(), "ro");
            return mounts.containsKey(path);
        }
        leave(key, path + " is no folder of this machine now");
        return false;
    }

    /// Nothing of `path` may be seen. Mounts that hold it go.
    void forbid(String key, Path path) {
        forbid(key, path, path::startsWith);
    }

    /// As [#forbid], but a mount of `path` itself stays.
    void forbidBelow(String key, Path path) {
        forbid(key, path, mounted -> path.startsWith(mounted) && !path.equals(mounted));
    }

    private void forbid(String key, Path path, Predicate<Path> holder) {
        mounts.keySet().removeIf(mounted -> {
            boolean holds = holder.test(mounted);
            if (holds) {
                narrow(key, "the mount of " + mounted + " would show " + path + ", and is left out");
            }
            return holds;
        });
    }

    void hide(String key, String pattern) {
        if (!hidden.contains(pattern) && isTaken(key, "fs: {hide: [" + PolicyWriter.line(Node.text(pattern)) + "]}")) {
            hidden.add(pattern);
        }
    }

    void allow(HostRule rule) {
        if (isTaken(rule.key(), "net: {hosts: [" + PolicyWriter.line(rule.node()) + "]}")) {
            hosts.add(rule);
        }
    }

    void deny(HostRule.Denied what) {
        denied.add(what);
    }

    List<HostRule> hosts() {
        return List.copyOf(hosts);
    }

    void credential(String key, Node node) {
        if (isTaken(key, "credentials: [" + PolicyWriter.line(node) + "]")) {
            credentials.add(node);
        }
    }

    boolean isTaken(String key, String policy) {
        if (hosts.size() + mounts.size() + hidden.size() + credentials.size() >= MOST_ITEMS) {
            leave(key, "more than " + MOST_ITEMS + " entries");
            return false;
        }
        var why = PolicyCheck.refusal(policy);
        why.ifPresent(words -> leave(key, words));
        return why.isEmpty();
    }

    /// Names of the secrets that the policy lends.
    List<String> secrets() {
        return credentials.stream()
                .map(node -> ((Node.Mapping) node).find("name").orElseThrow())
                .map(name -> ((Node.Scalar) name).text())
                .toList();
    }

    List<Remark> remarks() {
        return List.copyOf(remarks);
    }

    /// Takes out what is both allowed and forbidden. Comes last.
    void settle() {
        for (HostRule.Denied deny : denied) {
            hosts.removeIf(rule -> {
                boolean meets = rule.meets(deny);
                if (meets) {
                    narrow(
                            rule.key(),
                            rule.target().name() + " is left out: " + deny.key()
                                    + " forbids it or some of it, and a rule here only allows; name the hosts that are needed");
                }
                return meets;
            });
        }
    }

    /// The policy's sections in their order.
    Map<String, Node> sections() {
        var made = new LinkedHashMap<>(top);
        made.put("fs", fs());
        made.put("net", net());
        if (!credentials.isEmpty()) {
            made.put("credentials", Node.list(credentials));
        }
        if (!resources.isEmpty()) {
            made.put("resources", mapping(resources));
        }
        var sections = new LinkedHashMap<String, Node>();
        ORDER.stream()
                .filter(made::containsKey)
                .forEach(key -> sections.put(key, Objects.requireNonNull(made.get(key), key)));
        return sections;
    }

    private Node fs() {
        var all = new ArrayList<Node>();
        var own = Node.mapping("path", Node.text("/workspace"));
        switch (workspace) {
            case NONE -> {}
            case READ -> all.add(own.and("mode", Node.text("ro")));
            case COPY -> all.add(own.and("mode", Node.text("rw")).and("source", Node.text("session-copy")));
            case WRITE -> all.add(own.and("mode", Node.text("rw")));
        }
        all.addAll(mounts.values());
        var fs = new LinkedHashMap<String, Node>();
        fs.put("mounts", Node.list(all));
        if (!hidden.isEmpty()) {
            fs.put("hide", Node.list(hidden.stream().map(Node::text).toList()));
        }
        return mapping(fs);
    }

    private Node net() {
        if (hosts.isEmpty()) {
            return Node.mapping("mode", Node.text("none"));
        }
        return Node.mapping("mode", Node.text("allowlist"))
                .and("hosts", Node.list(hosts.stream().map(HostRule::node).toList()));
    }

    static Node mapping(Map<String, Node> entries) {
        var node = new Node.Mapping(List.of(), Node.Layout.FLOW, Position.START, Position.START);
        for (var entry : entries.entrySet()) {
            node = node.and(entry.getKey(), entry.getValue());
        }
        return node;
    }
}
