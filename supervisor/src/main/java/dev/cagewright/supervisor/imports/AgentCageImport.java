package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// `cage.yaml` of agentcage (its docs/reference/configuration.md, version 0.40). Cages of it run images; here the
/// programs of this machine stand in for them.
final class AgentCageImport {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]*)([bkmgBKMG])?");
    private static final String ALWAYS = "is always so here, and cannot be weakened";

    private final Draft draft;
    private final Places places;

    AgentCageImport(Draft draft, Places places) {
        this.draft = draft;
        this.places = places;
    }

    void read(Section root) throws ImportException {
        isolation(root);
        container(root.section("container"));
        domains(root.section("domains"), ports(root.section("ports")));
        for (Section injection : root.sections("secret_injection")) {
            injection(injection);
        }
        capture(root.section("capture"));
        for (String key : List.of("lifecycle", "scaffold", "help", "exec_aliases", "logging")) {
            root.leave(draft, key, "says how a cage is kept and shown, and grants nothing");
        }
        root.leave(draft, "dns_servers", "names are looked up as this machine does it");
        root.leave(draft, "secrets", "secrets are kept in this product's own store: cagewright secret set");
        root.leave(draft, "agents", "no model decides here; hosts are asked for by approvals and net.may_grant");
        root.leave(draft, "inspectors", "see inspect.custom for inspectors of your own");
        root.leave(draft, "protocol_relays", "allow a host with protocol: tcp for each");
        root.rest(draft, "there is nothing like it here");
    }

    private void isolation(Section root) throws ImportException {
        var word = root.text("isolation").orElse("auto");
        if (word.equals("vm") || word.equals("apple-container")) {
            draft.put(root.path("isolation"), "min_isolation", Node.text("microvm"));
        } else if (!word.equals("auto") && !word.equals("container")) {
            throw root.wrong("isolation", word + " (expected: auto, container, apple-container or vm)");
        }
    }

    private void container(Section box) throws ImportException {
        box.leave(draft, "image", "the programs of this machine stand in for it");
        var command = box.texts("command");
        if (!command.isEmpty()) {
            draft.put(
                    box.path("command"),
                    "command",
                    Node.list(command.stream()
                            .map(text -> Node.text(text.value()))
                            .toList()));
        }
        for (Section.Text volume : box.texts("volumes")) {
            volume(volume);
        }
        for (Section.Text memory : box.texts("tmpfs")) {
            memory(memory);
        }
        box.word("memory").ifPresent(size -> size(box.path("memory"), "memory", size));
        box.word("cpus").ifPresent(count -> draft.limit(box.path("cpus"), "cpus", count));
        box.leave(draft, "named_volumes", "nothing is kept between runs but mounted folders");
        environment(box);
        box.leave(draft, "ports", "publishing is asked for when a cage is started");
        box.leave(draft, "user", "a cage never runs as root, and as nobody else");
        box.leave(draft, "add_capabilities", "a cage has no capability");
        box.leave(draft, "nested_containers", "no container engine runs in a cage");
        for (String key : List.of("read_only", "no_new_privileges")) {
            if (!box.flag(key).orElse(true)) {
                draft.leave(box.path(key), ALWAYS);
            }
        }
        box.texts("drop_capabilities");
        box.leave(draft, "restart", "says how a cage is kept, and grants nothing");
        box.leave(draft, "restart_sec", "says how a cage is kept, and grants nothing");
        box.rest(draft, "there is nothing like it here");
    }

    /// Names are told and values are not: they may be secrets.
    private void environment(Section box) throws ImportException {
        var variables = box.section("env");
        for (String name : variables.keys()) {
            draft.leave(
                    variables.path(name), "a policy sets no variables; exec.env lets those of the caller in by name");
        }
    }

    private void volume(Section.Text volume) {
        var parts = volume.value().split(":", -1);
        if (parts.length < 2 || parts.length > 3) {
            draft.leave(volume.key(), "source:target or source:target:flags is read, and this is neither");
            return;
        }
        boolean isWritten =
                parts.length == 2 || !List.of(parts[2].split(",", -1)).contains("ro");
        var mode = isWritten ? "rw" : "ro";
        switch (places.of(parts[0])) {
            case Places.Place.Inside(String below)
            when below.isEmpty() && parts[1].equals("/workspace") ->
                draft.grantWorkspace(isWritten ? Draft.Access.WRITE : Draft.Access.READ);
            case Places.Place.Inside(String below)
            when below.isEmpty() -> {
                draft.grantWorkspace(isWritten ? Draft.Access.WRITE : Draft.Access.READ);
                draft.narrow(volume.key(), "stands at the workspace's own path, not at " + parts[1]);
            }
            case Places.Place.Inside(String below) ->
                bound(volume, places.workspace().resolve(below), parts[1], mode);
            case Places.Place.Outside(Path path) -> bound(volume, path, parts[1], mode);
            case Places.Place.Pattern _ -> draft.leave(volume.key(), "a pattern is no folder");
            case Places.Place.Unclear(String why) -> draft.leave(volume.key(), why);
        }
    }

    private void bound(Section.Text volume, Path source, String target, String mode) {
        if (!target.startsWith("/") || target.equals("/")) {
            draft.leave(volume.key(), "its target is no absolute path below the root");
        } else if (Path.of(target).normalize().startsWith("/workspace")) {
            draft.leave(volume.key(), "/workspace is the folder that a run is started in: run --workspace " + source);
        } else if (Places.isFolder(source)) {
            draft.mount(volume.key(), Path.of(target).normalize(), source.toString(), mode);
        } else {
            draft.leave(volume.key(), source + " is no folder of this machine now");
        }
    }

    private void memory(Section.Text entry) {
        int colon = entry.value().indexOf(':');
        var target = colon < 0 ? entry.value() : entry.value().substring(0, colon);
        var options = colon < 0 ? "" : entry.value().substring(colon + 1);
        if (options.contains("size=")) {
            draft.narrow(entry.key(), "resources.disk bounds all files in memory together");
            var size = options.replaceFirst("^.*size=([^,]*).*$", "$1");
            size(entry.key(), "disk", size);
        }
        if (List.of("/tmp", "/var/tmp", "/dev/shm", "/run").contains(target)) {
            if (options.contains("noexec")) {
                draft.leave(
                        entry.key(),
                        "files in " + target + " can be executed, as those of the workspace can; with"
                                + " exec.allowlist none of them can");
            }
            return;
        }
        var mode = List.of(options.split(",", -1)).contains("ro") ? "ro" : "rw";
        draft.mount(entry.key(), Path.of("/").resolve(target).normalize(), "tmpfs", mode);
    }

    private void size(String key, String word, String text) {
        var parts = SIZE.matcher(text);
        if (!parts.matches()) {
            draft.leave(key, "not a size such as 2g or 512m: " + text);
            return;
        }
        var unit = parts.group(2) == null ? "b" : parts.group(2).toLowerCase(Locale.ROOT);
        var ours = switch (unit) {
            case "k" -> "KiB";
            case "m" -> "MiB";
            case "g" -> "GiB";
            default -> "B";
        };
        draft.limit(key, word, parts.group(1) + ours);
    }

    private List<Integer> ports(Section layer) throws ImportException {
        var ports = new ArrayList<Integer>();
        var tcp = layer.section("tcp");
        for (Section.Text port : tcp.words("allow")) {
            ports.add(port(tcp, port));
        }
        tcp.leave(draft, "passthrough", "each port of a host is judged; allow a host with protocol: tcp");
        tcp.rest(draft, "there is nothing like it here");
        var udp = layer.section("udp");
        if (!udp.words("allow").isEmpty()) {
            draft.leave(udp.path("allow"), "no datagram leaves a cage");
        }
        udp.rest(draft, "no datagram leaves a cage");
        var icmp = layer.section("icmp");
        if (icmp.isOn("allow")) {
            draft.leave(icmp.path("allow"), "no ping leaves a cage");
        }
        icmp.rest(draft, "there is nothing like it here");
        layer.rest(draft, "there is nothing like it here");
        return List.copyOf(ports);
    }

    private static int port(Section tcp, Section.Text port) throws ImportException {
        if (!port.value().matches("[1-9][0-9]{0,4}") || Integer.parseInt(port.value()) > 65_535) {
            throw tcp.wrong("allow", port.value() + " is no port");
        }
        return Integer.parseInt(port.value());
    }

    private void domains(Section domains, List<Integer> ports) throws ImportException {
        var mode = domains.text("mode").orElse("allowlist");
        var opaque = domains.texts("passthrough");
        var expiring = domains.section("expires");
        for (Section.Text host : domains.texts("allow")) {
            if (mode.equals("blocklist")) {
                draft.leave(host.key(), "counts only in an allowlist");
            } else if (expiring.has(host.value())) {
                draft.leave(host.key(), "it ends at a time: cagewright grants add lets it in for a while");
            } else {
                var rule = HostRule.of(host.key(), host.value()).at(ports);
                boolean isOpaque = opaque.stream().anyMatch(one -> one.value().equals(host.value()));
                draft.allow(
                        isOpaque ? rule.with(List.of(new HostRule.Limit("inspect", Draft.plainWord("false")))) : rule);
            }
        }
        for (Section.Text host : domains.texts("block")) {
            draft.deny(Domain.of(host.value()).denied(host.key()));
        }
        for (Section.Text host : opaque) {
            if (draft.hosts().stream().noneMatch(rule -> rule.target().name().equals(host.value()))) {
                draft.leave(host.key(), "is not on the list of what is allowed");
            }
        }
        expiring.rest(draft, "it ends at a time: cagewright grants add lets it in for a while");
        if (!mode.equals("allowlist")) {
            draft.leave(domains.path("mode"), mode + " allows what is not named, and a policy here never does");
        }
        domains.rest(draft, "there is nothing like it here");
    }

    private void injection(Section entry) throws ImportException {
        var name = entry.text("env");
        if (name.isEmpty()) {
            draft.leave(entry.path("env"), "an entry without a name");
            return;
        }
        var hosts = entry.texts("inject_to").stream().map(Section.Text::value).toList();
        var where = new ArrayList<Node>();
        if (entry.flag("inject_headers").orElse(true)) {
            where.add(Node.text("header"));
        }
        if (entry.isOn("inject_body")) {
            where.add(Node.text("body"));
        }
        var everywhere = draft.hosts().stream()
                .map(rule -> rule.target().name())
                .distinct()
                .toList();
        var targets = entry.has("inject_to") ? hosts : everywhere;
        var node = Node.mapping("name", Node.text(name.get()))
                .and("env", Node.text(name.get()))
                .and("use_with", Node.list(targets.stream().map(Node::text).toList()))
                .and("in", Node.list(where));
        if (where.isEmpty()) {
            draft.leave(entry.path("env"), "it is put in nowhere");
        } else {
            draft.credential(entry.path("env"), node);
        }
        entry.leave(draft, "placeholder", "a decoy of the secret's shape is made");
        entry.leave(draft, "source", "see cagewright secret set --from-command");
        entry.leave(draft, "transform", "there is nothing like it here");
        entry.rest(draft, "there is nothing like it here");
    }

    private void capture(Section capture) throws ImportException {
        if (capture.isOn("enable_har")) {
            var node = Node.mapping("har", Draft.plainWord("true"));
            var body = capture.whole("max_body_size").filter(size -> size > 0);
            draft.put(
                    capture.path("enable_har"),
                    "capture",
                    body.isPresent() ? node.and("body", Node.text(body.get() + "B")) : node);
        }
        capture.whole("max_body_size");
        for (String key : List.of("max_file_size", "min_action", "domains", "exclude_domains")) {
            capture.leave(draft, key, "a capture has all that a cage said");
        }
        capture.rest(draft, "there is nothing like it here");
    }
}
