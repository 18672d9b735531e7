package dev.cagewright.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.host.Finding.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HostProbeTest {
    /// What the probe program said on a host where everything works.
    private static final String ALL_WELL = List.of(
                    "userns",
                    "mntns",
                    "pidns",
                    "netns",
                    "ipcns",
                    "utsns",
                    "cgroupns",
                    "proc",
                    "tmpfs",
                    "overlay",
                    "devpts",
                    "detached-mounts",
                    "idmap",
                    "openat2",
                    "seccomp",
                    "seccomp-notify",
                    "capabilities",
                    "anyip",
                    "tproxy",
                    "pidfd",
                    "close-range",
                    "memfd-exec",
                    "kvm",
                    "rlimits")
            .stream()
            .map(name -> name + " 0 works\n")
            .collect(Collectors.joining("", "", "landlock 0 abi 7 errata 0x7\n"));

    @TempDir
    private Path root;

    private void file(String path, String content) throws IOException {
        var file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private Finding find(String name, String output) {
        return find(name, HostProbe.run(new HostFacts(root), output));
    }

    private static Finding find(String name, List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in " + findings));
    }

    private static String with(String line) {
        var name = line.substring(0, line.indexOf(' ') + 1);
        return ALL_WELL.lines()
                .map(old -> old.startsWith(name) ? line : old)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    @Test
    void this_host_is_probed_by_doing_and_every_probe_answers() {
        var findings = HostProbe.run();

        assertThat(findings).extracting(Finding::name).doesNotHaveDuplicates();
        assertThat(findings).noneMatch(finding -> finding.detail().equals("the probe gave no answer"));
        assertThat(find("openat2", findings)).isEqualTo(Finding.ok("openat2", "works"));
        assertThat(find("capabilities", findings).detail()).startsWith("effective 0");
        assertThat(find("rlimits", findings).detail()).startsWith("hard: nofile ");
        assertThat(findings)
                .filteredOn(finding -> finding.status() != Status.OK)
                .allMatch(finding -> !finding.remedy().isEmpty());
        assertThat(findings)
                .filteredOn(finding -> finding.status() == Status.OK)
                .allMatch(finding -> finding.remedy().isEmpty());
    }

    @Test
    void no_output_at_all_makes_every_probe_missing_and_none_forgotten() {
        var findings = HostProbe.run(new HostFacts(root), "");

        assertThat(find("userns", findings).status()).isEqualTo(Status.MISSING);
        assertThat(find("landlock", findings).detail()).isEqualTo("the probe gave no answer");
        assertThat(findings.stream().filter(finding -> finding.detail().equals("the probe gave no answer")))
                .hasSize(25);
    }

    @Test
    void lines_that_are_no_answers_are_ignored() {
        var findings = HostProbe.run(new HostFacts(root), "hello\n" + ALL_WELL + "evil 0 \u001b[31m\nuserns x y\n");

        assertThat(find("userns", findings).status()).isEqualTo(Status.OK);
        assertThat(findings).noneMatch(finding -> finding.name().equals("evil"));
    }

    @Test
    void a_limit_of_no_user_namespaces_names_the_setting() throws IOException {
        file("proc/sys/user/max_user_namespaces", "0\n");

        assertThat(find("userns", with("userns 28 unshare(CLONE_NEWUSER): No space left on device")))
                .isEqualTo(Finding.missing(
                        "userns",
                        "unshare(CLONE_NEWUSER): No space left on device",
                        "sysctl user.max_user_namespaces=15000 (as root)"));
    }

    @Test
    void a_restriction_by_apparmor_names_the_profile_and_the_setting() throws IOException {
        file("proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1\n");
        file("proc/sys/user/max_user_namespaces", "100\n");

        assertThat(find("mntns", with("mntns 13 mount(/, MS_PRIVATE): Permission denied"))
                        .remedy())
                .isEqualTo("give cagewright's java an AppArmor profile with \"userns,\", or sysctl"
                        + " kernel.apparmor_restrict_unprivileged_userns=0 (as root)");
        assertThat(find("apparmor-userns", ALL_WELL).status()).isEqualTo(Status.DEGRADED);
    }

    @Test
    void debians_old_setting_is_known() throws IOException {
        file("proc/sys/kernel/unprivileged_userns_clone", "0\n");

        assertThat(find("userns", with("userns 1 unshare(CLONE_NEWUSER): Operation not permitted"))
                        .remedy())
                .isEqualTo("sysctl kernel.unprivileged_userns_clone=1 (as root)");
    }

    @Test
    void inside_docker_the_remedy_is_a_flag_of_docker() throws IOException {
        file(".dockerenv", "");

        assertThat(find("userns", with("userns 1 unshare(CLONE_NEWUSER): Operation not permitted"))
                        .remedy())
                .isEqualTo("start the docker container with --security-opt seccomp=unconfined --security-opt"
                        + " apparmor=unconfined");
        assertThat(find("proc", with("proc 1 mount(proc): Operation not permitted"))
                        .remedy())
                .isEqualTo("start the docker container with --security-opt systempaths=unconfined");
        assertThat(find("container", ALL_WELL)).isEqualTo(Finding.ok("container", "runs inside docker"));
    }

    @Test
    void a_kubernetes_pod_is_recognised_by_its_control_group() throws IOException {
        file("proc/1/cgroup", "0::/kubepods/besteffort/pod1/abc\n");

        assertThat(find("container", ALL_WELL).detail()).isEqualTo("runs inside kubepods");
    }

    @Test
    void an_older_landlock_is_degraded_and_none_is_missing() {
        assertThat(find("landlock", with("landlock 0 abi 3 errata unknown")))
                .isEqualTo(Finding.degraded(
                        "landlock",
                        "abi 3 errata unknown: abstract sockets and signals are kept in by namespaces alone",
                        "use Linux 6.12 or later"));
        assertThat(find("landlock", with("landlock 38 landlock_create_ruleset: Function not implemented"))
                        .status())
                .isEqualTo(Status.MISSING);
        assertThat(find("landlock", with("landlock 95 landlock_create_ruleset: Operation not supported"))
                        .remedy())
                .startsWith("add landlock to the kernel's lsm= parameter");
    }

    @Test
    void a_probe_that_hung_is_told_with_its_time() {
        assertThat(find("tproxy", with("tproxy 110 no answer within 5 s"))).satisfies(finding -> {
            assertThat(finding.status()).isEqualTo(Status.DEGRADED);
            assertThat(finding.detail()).isEqualTo("no answer within 5 s");
        });
    }

    @Test
    void kvm_without_permission_is_only_needed_for_one_isolation() {
        assertThat(find("kvm", with("kvm 13 open(/dev/kvm): Permission denied")).remedy())
                .isEqualTo("usermod -aG kvm $USER (as root) and log in again; only microvm isolation needs it");
    }

    @Test
    void a_delegated_group_of_version_two_enforces_and_a_foreign_controller_does_not() throws IOException {
        file("sys/fs/cgroup/cgroup.controllers", "cpu memory pids");
        file("proc/self/cgroup", "0::/user.slice/mine\n");
        file("sys/fs/cgroup/user.slice/mine/cgroup.controllers", "memory pids");
        file("sys/fs/cgroup/user.slice/mine/cgroup.procs", "");

        var findings = HostProbe.run(new HostFacts(root), ALL_WELL);

        assertThat(find("cgroup", findings).detail()).isEqualTo("version 2, own group /user.slice/mine");
        assertThat(find("limit-memory", findings))
                .isEqualTo(Finding.ok(
                        "limit-memory", "enforced by the control group below /sys/fs/cgroup/user.slice/mine"));
        assertThat(find("limit-cpu", findings))
                .isEqualTo(Finding.degraded(
                        "limit-cpu",
                        "no control group has it: a cage may use every processor; its processes are only made less"
                                + " urgent",
                        "start cagewright in a delegated group: systemd-run --user --scope -p Delegate=yes cagewright"
                                + " ..."));
    }

    @Test
    void a_hybrid_layout_takes_the_own_group_of_each_hierarchy() throws IOException {
        file("sys/fs/cgroup/unified/cgroup.controllers", "hugetlb");
        file("proc/self/cgroup", "4:memory:/a/b\n8:pids:/\n1:name=systemd:/x\n0::/\n");
        file("sys/fs/cgroup/memory/a/b/cgroup.procs", "");

        var findings = HostProbe.run(new HostFacts(root), ALL_WELL);

        assertThat(find("cgroup", findings).detail())
                .isEqualTo("hybrid: limits by version 1, kill and freeze by version 2");
        assertThat(find("limit-memory", findings).detail())
                .isEqualTo("enforced by the control group below /sys/fs/cgroup/memory/a/b");
        assertThat(find("limit-pids", findings).status()).isEqualTo(Status.DEGRADED);
    }

    @Test
    void runtimes_that_are_not_installed_come_with_the_packages_name() throws IOException {
        file("etc/debian_version", "12.1");

        assertThat(find("docker", ALL_WELL).remedy()).isEqualTo("apt-get install docker.io (as root)");
        assertThat(find("bwrap", ALL_WELL).detail()).isEqualTo("not installed; only comparing benchmarks needs it");
    }
}
