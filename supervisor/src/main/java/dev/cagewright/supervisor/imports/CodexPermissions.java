package dev.cagewright.supervisor.imports;

import dev.cagewright.supervisor.policyfile.yaml.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A permission profile of Codex: `filesystem`, `network`, `workspace_roots` and what it extends.
final class CodexPermissions {
    private static final String ROOTS = ":workspace_roots";
    private static final String NOTHING = "there is nothing like it here";
    private static final Set<String> ACCESS = Set.of("read", "write", "deny", "none");
    private static final List<Node> HARMLESS = List.of(Node.text("GET"), Node.text("HEAD"), Node.text("OPTIONS"));

    private final Draft draft;
    private final PathRules paths;
    private final Places places;
    private final Section profiles;
    private final Set<String> read = new HashSet<>();

    /// A path with what may be done there.
    private record Right(Section.Text path, String access) {}

    CodexPermissions(Draft draft, Places places, Section profiles) {
        this.draft = draft;
        this.places = places;
        this.paths = new PathRules(draft, places);
        this.profiles = profiles;
    }

    void read(Section root, String name) throws ImportException {
        var denied = new ArrayList<Right>();
        profile(root, name, denied);
        for (Right right : denied) {
            paths.hide(right.path(), List.of());
        }
        paths.recheck(denied.stream().map(Right::path).toList());
    }

    private void profile(Section root, String name, List<Right> denied) throws ImportException {
        if (!read.add(name)) {
            throw root.wrong("default_permissions", name + " extends itself");
        }
        switch (name) {
            case ":read-only" -> draft.grantWorkspace(Draft.Access.READ);
            case ":workspace" -> copied(root.path("default_permissions"));
            case ":danger-full-access" -> {
                draft.grantWorkspace(Draft.Access.WRITE);
                draft.leave(root.path("default_permissions"), "a cage never has the whole host and network");
            }
            default -> {
                if (!profiles.isSection(name)) {
                    throw root.wrong("default_permissions", "there is no profile " + name);
                }
                own(root, profiles.section(name), denied);
            }
        }
    }

    private void copied(String key) {
        draft.grantWorkspace(Draft.Access.COPY);
        draft.narrowOnce(
                key,
                "there .git cannot be written, and a mount here cannot say so: the workspace is a copy, of which"
                        + " cagewright apply brings over what you choose");
    }

    private void own(Section root, Section profile, List<Right> denied) throws ImportException {
        var parent = profile.text("extends");
        if (parent.isPresent()) {
            profile(root, parent.get(), denied);
        }
        var folders = profile.section("workspace_roots");
        for (String folder : folders.keys()) {
            folders.value(folder);
            if (!(places.of(folder) instanceof Places.Place.Inside)) {
                draft.leave(folders.path(folder), "one folder is the workspace of a cage");
            }
        }
        filesystem(profile.section("filesystem"), denied);
        network(profile.section("network"));
        profile.leave(draft, "description", "says nothing that is granted");
        profile.rest(draft, NOTHING);
    }

    private void filesystem(Section fs, List<Right> denied) throws ImportException {
        fs.leave(draft, "glob_scan_max_depth", "hidden names are found at every depth");
        fs.leave(draft, "allow_limited_git_writes", "the workspace is a copy, in which git can commit");
        for (String path : fs.keys()) {
            if (path.equals("glob_scan_max_depth") || path.equals("allow_limited_git_writes")) {
                continue;
            }
            if (fs.isSection(path)) {
                scoped(path, fs.section(path), denied);
            } else {
                one(new Right(new Section.Text(fs.path(path), path), access(fs, path)), denied);
            }
        }
    }

    private static String access(Section section, String key) throws ImportException {
        var word = section.text(key).orElse("");
        if (!ACCESS.contains(word)) {
            throw section.wrong(key, word + " (expected: read, write or deny)");
        }
        return word;
    }

    private void scoped(String top, Section rules, List<Right> denied) throws ImportException {
        for (String below : rules.keys()) {
            var key = rules.path(below);
            var access = access(rules, below);
            var path = top.equals(ROOTS) ? below : below.equals(".") ? top : top + "/" + below;
            if (top.startsWith(":") && !top.equals(ROOTS)) {
                draft.leave(key, NOTHING);
            } else {
                one(new Right(new Section.Text(key, path), access), denied);
            }
        }
    }

    private void one(Right right, List<Right> denied) {
        var path = right.path();
        switch (path.value()) {
            case ":minimal" -> {
                // each cage can read the system's own folders
            }
            case ":tmpdir", ":slash_tmp" -> {
                if (!right.access().equals("write")) {
                    draft.leave(path.key(), "each cage has a /tmp of its own, in memory, which it can write");
                }
            }
            case ":root" -> {
                if (!isDenial(right)) {
                    draft.narrow(path.key(), "of the machine only the system's own folders are there");
                }
            }
            case ROOTS -> workspace(path.key(), right.access(), denied);
            default -> other(right, denied);
        }
    }

    private static boolean isDenial(Right right) {
        return right.access().equals("deny") || right.access().equals("none");
    }

    private void workspace(String key, String access, List<Right> denied) {
        switch (access) {
            case "write" -> copied(key);
            case "read" -> draft.grantWorkspace(Draft.Access.READ);
            default -> denied.add(new Right(new Section.Text(key, "."), access));
        }
    }

    private void other(Right right, List<Right> denied) {
        if (isDenial(right)) {
            denied.add(right);
        } else if (right.path().value().equals(".")) {
            workspace(right.path().key(), right.access(), denied);
        } else if (right.access().equals("write")) {
            paths.write(right.path());
        } else {
            keptBelow(right);
        }
    }

    /// Reading below a workspace that may be written elsewhere means that writing there is denied.
    private void keptBelow(Right right) {
        switch (places.of(right.path().value())) {
            case Places.Place.Inside _, Places.Place.Pattern _ -> paths.keep(right.path());
            case Places.Place.Outside _, Places.Place.Unclear _ -> paths.read(right.path());
        }
    }

    private void network(Section net) throws ImportException {
        boolean isOn = net.isOn("enabled");
        var mode = net.text("mode").orElse("full");
        var domains = net.section("domains");
        for (String name : domains.keys()) {
            var word = domains.text(name).orElse("");
            var key = domains.path(name);
            if (word.equals("deny")) {
                draft.deny(Domain.of(name).denied(key));
            } else if (!word.equals("allow")) {
                throw domains.wrong(name, word + " (expected: allow or deny)");
            } else if (isOn) {
                domain(key, name, mode);
            } else {
                draft.leave(key, "network.enabled is not true");
            }
        }
        if (isOn && domains.keys().isEmpty()) {
            draft.leave(
                    net.path("enabled"), "a policy never allows every host; name those that are needed in net.hosts");
        }
        if (net.isOn("allow_local_binding")) {
            draft.narrow(net.path("allow_local_binding"), "ports can be bound, on a loopback of the cage's own");
        }
        var sockets = net.section("unix_sockets");
        for (String path : sockets.keys()) {
            sockets.value(path);
            draft.leave(sockets.path(path), "no socket of the host is in a cage");
        }
        for (String key :
                List.of("proxy_url", "socks_url", "enable_socks5", "enable_socks5_udp", "allow_upstream_proxy")) {
            net.leave(draft, key, "each request is judged by this product's own gateway");
        }
        net.rest(draft, NOTHING);
    }

    /// `*.` means names below there and here; `**.` means the name itself, too.
    private void domain(String key, String name, String mode) {
        var domain = Domain.of(name);
        if (domain.host().equals("*") || domain.host().equals("**")) {
            draft.leave(key, "a policy never allows every host; name those that are needed");
            return;
        }
        var ports = domain.port().map(List::of).orElse(List.of());
        var limits = mode.equals("full")
                ? List.<HostRule.Limit>of()
                : List.of(new HostRule.Limit("methods", Node.list(HARMLESS)));
        var hosts = domain.host().startsWith("**.")
                ? List.of(domain.host().substring(3), domain.host().substring(1))
                : List.of(domain.host());
        for (String host : hosts) {
            draft.allow(HostRule.of(key, host).at(ports).with(limits));
        }
    }
}
