package dev.cagewright.sandbox.host;

import dev.cagewright.sandbox.host.Finding.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the lines of the probe program, `name errno words`, and says what they mean for a cage.
final class KernelProbes {
    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int ENOSPC = 28;
    private static final int ENOSYS = 38;
    private static final int WANTED_LANDLOCK = 6;

    private static final Pattern LINE = Pattern.compile("([a-z0-9-]{1,32}) ([0-9]{1,4}) (.*)");
    private static final Pattern ABI = Pattern.compile("abi ([0-9]{1,4}) .*");

    /// What a cage loses without it: nothing starts, or one thing is missing.
    private static final Map<String, Status> WEIGHT = Map.ofEntries(
            Map.entry("userns", Status.MISSING),
            Map.entry("mntns", Status.MISSING),
            Map.entry("pidns", Status.MISSING),
            Map.entry("netns", Status.MISSING),
            Map.entry("ipcns", Status.MISSING),
            Map.entry("utsns", Status.MISSING),
            Map.entry("cgroupns", Status.DEGRADED),
            Map.entry("proc", Status.MISSING),
            Map.entry("tmpfs", Status.MISSING),
            Map.entry("overlay", Status.DEGRADED),
            Map.entry("devpts", Status.DEGRADED),
            Map.entry("detached-mounts", Status.MISSING),
            Map.entry("idmap", Status.DEGRADED),
            Map.entry("openat2", Status.MISSING),
            Map.entry("landlock", Status.MISSING),
            Map.entry("seccomp", Status.MISSING),
            Map.entry("seccomp-notify", Status.DEGRADED),
            Map.entry("capabilities", Status.OK),
            Map.entry("anyip", Status.DEGRADED),
            Map.entry("tproxy", Status.DEGRADED),
            Map.entry("pidfd", Status.MISSING),
            Map.entry("close-range", Status.MISSING),
            Map.entry("memfd-exec", Status.MISSING),
            Map.entry("kvm", Status.DEGRADED),
            Map.entry("rlimits", Status.OK));

    private final HostFacts facts;

    KernelProbes(HostFacts facts) {
        this.facts = facts;
    }

    /// One finding a probe, in the order of `output`; probes that gave no line are MISSING.
    List<Finding> read(String output) {
        var findings = new ArrayList<Finding>();
        for (String line : output.split("\n", -1)) {
            var parts = LINE.matcher(line);
            if (parts.matches() && WEIGHT.containsKey(parts.group(1))) {
                findings.add(judge(parts.group(1), Integer.parseInt(parts.group(2)), parts.group(3)));
            }
        }
        WEIGHT.keySet().stream()
                .sorted()
                .filter(name ->
                        findings.stream().noneMatch(finding -> finding.name().equals(name)))
                .forEach(name -> findings.add(Finding.missing(
                        name, "the probe gave no answer", "run cagewright doctor again; if it stays, report it")));
        return findings;
    }

    private Finding judge(String name, int reason, String words) {
        if (reason != 0) {
            return new Finding(name, weight(name), words, remedy(name, reason));
        }
        return name.equals("landlock") ? landlock(words) : Finding.ok(name, words);
    }

    private static Status weight(String name) {
        var weight = WEIGHT.get(name);
        return weight == null ? Status.MISSING : weight;
    }

    private static Finding landlock(String words) {
        var abi = ABI.matcher(words);
        if (abi.matches() && Integer.parseInt(abi.group(1)) < WANTED_LANDLOCK) {
            return Finding.degraded(
                    "landlock",
                    words + ": abstract sockets and signals are kept in by namespaces alone",
                    "use Linux 6.12 or later");
        }
        return Finding.ok("landlock", words);
    }

    private String remedy(String name, int reason) {
        return switch (name) {
            case "userns", "mntns", "pidns", "netns", "ipcns", "utsns", "cgroupns" -> userNamespaces(reason);
            case "proc" -> proc(reason);
            case "tmpfs", "overlay", "devpts", "detached-mounts" -> mounts(name, reason);
            case "idmap" ->
                reason == EPERM ? "only needed when started as root" : "use a file system with idmapped mounts";
            case "landlock" ->
                reason == ENOSYS
                        ? "use a kernel with CONFIG_SECURITY_LANDLOCK (5.13 or later)"
                        : "add landlock to the kernel's lsm= parameter, e.g. lsm=landlock,lockdown,yama,integrity,apparmor";
            case "seccomp", "seccomp-notify" ->
                inContainer("--security-opt seccomp=unconfined").orElse("use a kernel with CONFIG_SECCOMP_FILTER");
            case "anyip", "tproxy" ->
                "modprobe nft_tproxy nf_tables (as root), or use a kernel with CONFIG_NFT_TPROXY; until then use"
                        + " net: {mode: none}";
            case "memfd-exec" -> "sysctl vm.memfd_noexec=0 (as root)";
            case "kvm" -> kvm(reason);
            default ->
                "use Linux 5.14 or later"
                        + container().map(" and, in the container, "::concat).orElse("");
        };
    }

    private Optional<String> container() {
        return inContainer("--security-opt seccomp=unconfined");
    }

    private Optional<String> inContainer(String flags) {
        return facts.container().map(engine -> "start the " + engine + " container with " + flags);
    }

    private String userNamespaces(int reason) {
        if (facts.setting("user.max_user_namespaces").orElse(1) == 0) {
            return "sysctl user.max_user_namespaces=15000 (as root)";
        }
        if (facts.setting("kernel.unprivileged_userns_clone").orElse(1) == 0) {
            return "sysctl kernel.unprivileged_userns_clone=1 (as root)";
        }
        if (facts.setting("kernel.apparmor_restrict_unprivileged_userns").orElse(0) != 0) {
            return "give cagewright's java an AppArmor profile with \"userns,\", or"
                    + " sysctl kernel.apparmor_restrict_unprivileged_userns=0 (as root)";
        }
        if (reason == ENOSPC) {
            return "sysctl user.max_user_namespaces=15000 (as root); the same for the other user.max_*_namespaces";
        }
        return inContainer("--security-opt seccomp=unconfined --security-opt apparmor=unconfined")
                .orElse(
                        reason == EPERM || reason == EACCES
                                ? "something forbids user namespaces here: a seccomp filter, an LSM or a chroot"
                                : "use a kernel with CONFIG_USER_NS and the other namespaces");
    }

    private String proc(int reason) {
        if (reason != EPERM) {
            return userNamespaces(reason);
        }
        return inContainer("--security-opt systempaths=unconfined")
                .orElse("unmount what is mounted below /proc: it makes the kernel refuse a new instance");
    }

    private String mounts(String name, int reason) {
        if (name.equals("overlay") && reason != EPERM) {
            return "modprobe overlay (as root), or use a kernel with CONFIG_OVERLAY_FS; only session copies need it";
        }
        return inContainer("--security-opt seccomp=unconfined --security-opt apparmor=unconfined")
                .orElse("use Linux 5.14 or later; an LSM that forbids mounts in user namespaces must allow them");
    }

    private String kvm(int reason) {
        return switch (reason) {
            case EACCES, EPERM -> "usermod -aG kvm $USER (as root) and log in again; only microvm isolation needs it";
            default ->
                inContainer("--device /dev/kvm")
                        .orElse(
                                "enable virtualisation in the firmware or the hypervisor; only microvm isolation needs it");
        };
    }
}
