package dev.cagewright.sandbox.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Everything `doctor` tells about this host. Takes well below a second; every single probe is stopped after five.
public final class HostProbe {
    private HostProbe() {}

    /// Probes the host as the current user: kernel, control groups, limits, container, and the programs of the other
    /// runtimes. Never fails: what could not be probed is MISSING with the reason.
    public static List<Finding> run() {
        return run(HostFacts.ofThisHost(), ProbeProgram.run());
    }

    static List<Finding> run(HostFacts facts, String output) {
        var findings = new ArrayList<Finding>();
        findings.add(kernel(facts));
        findings.addAll(new KernelProbes(facts).read(output));
        findings.addAll(new CgroupProbe(facts).findings());
        findings.addAll(settings(facts));
        findings.add(container(facts));
        findings.addAll(programs(facts));
        return List.copyOf(findings);
    }

    private static Finding kernel(HostFacts facts) {
        var release = facts.text("proc/sys/kernel/osrelease").orElse("unknown");
        var machine = System.getProperty("os.arch", "unknown");
        boolean known = machine.equals("amd64") || machine.equals("aarch64");
        return known
                ? Finding.ok("kernel", "Linux " + release + " on " + machine)
                : Finding.missing("kernel", "Linux " + release + " on " + machine, "use x86-64 or AArch64");
    }

    private static List<Finding> settings(HostFacts facts) {
        var findings = new ArrayList<Finding>();
        facts.setting("user.max_user_namespaces")
                .ifPresent(limit -> findings.add(
                        limit == 0
                                ? Finding.missing(
                                        "max-user-namespaces", "0", "sysctl user.max_user_namespaces=15000 (as root)")
                                : Finding.ok("max-user-namespaces", String.valueOf(limit))));
        facts.setting("kernel.apparmor_restrict_unprivileged_userns")
                .ifPresent(on -> findings.add(
                        on == 0
                                ? Finding.ok("apparmor-userns", "user namespaces are not restricted")
                                : Finding.degraded(
                                        "apparmor-userns",
                                        "AppArmor takes away the capabilities of user namespaces made without a profile",
                                        "give cagewright's java an AppArmor profile with \"userns,\", or"
                                                + " sysctl kernel.apparmor_restrict_unprivileged_userns=0 (as root)")));
        facts.setting("fs.mount-max")
                .ifPresent(limit -> findings.add(
                        limit < 10_000
                                ? Finding.degraded(
                                        "mount-max", limit + " mounts a cage", "sysctl fs.mount-max=100000 (as root)")
                                : Finding.ok("mount-max", limit + " mounts a cage")));
        return findings;
    }

    private static Finding container(HostFacts facts) {
        return facts.container()
                .map(engine -> Finding.ok("container", "runs inside " + engine))
                .orElseGet(() -> Finding.ok("container", "none: runs on the host itself"));
    }

    private static List<Finding> programs(HostFacts facts) {
        return List.of(
                program(facts, "runsc", "gvisor isolation", "install gVisor's runsc"),
                program(facts, "podman", "container isolation", install(facts, "podman")),
                program(facts, "docker", "container isolation", install(facts, "docker.io")),
                program(facts, "bwrap", "comparing benchmarks", install(facts, "bubblewrap")));
    }

    private static String install(HostFacts facts, String debianPackage) {
        return facts.isDebianLike()
                ? "apt-get install " + debianPackage + " (as root)"
                : "install " + debianPackage.toLowerCase(Locale.ROOT).replace(".io", "");
    }

    private static Finding program(HostFacts facts, String name, String use, String remedy) {
        var found = facts.program(name);
        if (found.isEmpty()) {
            return Finding.degraded(name, "not installed; only " + use + " needs it", remedy);
        }
        return unreachable(facts, name).orElseGet(() -> Finding.ok(name, String.valueOf(found.get())));
    }

    /// A docker client without its daemon is no runtime.
    private static Optional<Finding> unreachable(HostFacts facts, String name) {
        if (!name.equals("docker") || facts.exists("run/docker.sock")) {
            return Optional.empty();
        }
        return Optional.of(Finding.degraded(
                name,
                "the client is installed, no daemon listens at /run/docker.sock",
                "start the docker service (as root)"));
    }
}
