package dev.cagewright.supervisor.imports;

import java.util.ArrayList;
import java.util.List;

/// Settings of sandbox-runtime (its src/sandbox/sandbox-config.ts, version 0.0.83). There everything can be read that
/// is
/// not denied, and nothing written that is not allowed; here only the workspace and what is named are there at all.
final class SandboxRuntimeImport {
    private static final String HOW = "says how that tool works, and grants nothing here";

    private final Draft draft;
    private final PathRules paths;

    SandboxRuntimeImport(Draft draft, Places places) {
        this.draft = draft;
        this.paths = new PathRules(draft, places);
    }

    void read(Section root) throws ImportException {
        network(root.section("network"));
        filesystem(root.section("filesystem"));
        root.leave(
                draft,
                "credentials",
                "secrets are kept in a store of their own, and a cage gets decoys: cagewright secret set");
        root.leave(draft, "enableWeakerNestedSandbox", "no cage is weaker than asked");
        root.leave(draft, "enableWeakerNetworkIsolation", "no cage is weaker than asked");
        root.leave(draft, "allowAppleEvents", "Linux has none");
        for (String key : List.of(
                "ignoreViolations",
                "ripgrep",
                "mandatoryDenySearchDepth",
                "allowPty",
                "seccomp",
                "bwrapPath",
                "socatPath",
                "javaAgentJarPath",
                "windows",
                "git")) {
            root.leave(draft, key, HOW);
        }
        root.rest(draft, "there is nothing like it here");
    }

    private void network(Section net) throws ImportException {
        var opaque = new ArrayList<String>();
        var opening = net.section("tlsTerminate");
        opening.texts("excludeDomains").forEach(text -> opaque.add(text.value()));
        opening.rest(draft, "TLS is opened with an authority of each cage's own");
        for (Section.Text text : net.texts("allowedDomains")) {
            var domain = Domain.of(text.value());
            var rule = HostRule.of(text.key(), domain.host())
                    .at(domain.port().map(List::of).orElse(List.of()));
            boolean isOpaque = opaque.contains(text.value()) || opaque.contains(domain.host());
            draft.allow(isOpaque ? rule.with(List.of(new HostRule.Limit("inspect", Draft.plainWord("false")))) : rule);
            if (domain.port().isEmpty()) {
                draft.narrowOnce(
                        "network.allowedDomains", "entries without a port mean 443 and 80 here, not every port");
            }
        }
        for (Section.Text text : net.texts("deniedDomains")) {
            draft.deny(Domain.of(text.value()).denied(text.key()));
        }
        net.leave(draft, "deniedDomainReasons", "a denial says its own reason");
        net.flag("strictAllowlist");
        net.leave(draft, "allowUnixSockets", "no socket of the host is in a cage");
        if (net.isOn("allowAllUnixSockets")) {
            draft.leave(net.path("allowAllUnixSockets"), "no socket of the host is in a cage");
        }
        if (net.isOn("allowLocalBinding")) {
            draft.narrow(net.path("allowLocalBinding"), "ports can be bound, on a loopback of the cage's own");
        }
        net.leave(draft, "allowMachLookup", "Linux has none");
        net.leave(draft, "parentProxy", "see net.upstream_proxy");
        for (String key : List.of("httpProxyPort", "socksProxyPort", "mitmProxy", "filterRequest")) {
            net.leave(draft, key, "each request is judged by this product's own gateway");
        }
        net.rest(draft, "there is nothing like it here");
    }

    private void filesystem(Section fs) throws ImportException {
        if (fs.isOn("disabled")) {
            draft.leave(fs.path("disabled"), "a cage never has the whole host; name folders in fs.mounts");
        }
        draft.grantWorkspace(Draft.Access.READ);
        for (Section.Text text : fs.texts("allowWrite")) {
            paths.write(text);
        }
        var readable = fs.texts("allowRead");
        for (Section.Text text : fs.texts("denyRead")) {
            paths.hide(text, readable);
        }
        for (Section.Text text : readable) {
            paths.read(text);
        }
        paths.recheck(fs.texts("denyRead"));
        for (Section.Text text : fs.texts("denyWrite")) {
            paths.keep(text);
        }
        if (fs.isOn("allowGitConfig")) {
            draft.leave(fs.path("allowGitConfig"), "git's configuration can be waived by name: fs.waive: [git-config]");
        }
        draft.narrowOnce("filesystem", "of the rest of this machine only the system's own folders can be read");
        fs.rest(draft, "there is nothing like it here");
    }
}
