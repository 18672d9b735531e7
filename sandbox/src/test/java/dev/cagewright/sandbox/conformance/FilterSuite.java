package dev.cagewright.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// What a program in a cage may ask of the kernel.
public abstract class FilterSuite extends RuntimeConformance {
    private Map<String, String> attempt(String names, String... more)
            throws ConfinementException, InterruptedException {
        if (!Files.exists(workspace.resolve("attempts"))) {
            Attempts.copyTo(workspace);
        }
        return Attempts.parse(ok(spec(), "./attempts " + names + " " + String.join(" ", more)));
    }

    @Test
    void B150_no_call_changes_the_view_or_reaches_others() throws ConfinementException, InterruptedException {
        var names =
                "unshare-user,unshare-mount,clone-user,fsopen,fsmount,move_mount,open_tree,open_tree_attr,mount,umount,"
                        + "pivot_root,chroot,setns,keyctl,bpf,perf_event_open,userfaultfd,ptrace,process_vm_readv,pidfd_getfd,"
                        + "reboot,syslog,open_by_handle_at,sethostname";
        assertThat(attempt(names))
                .hasSize(24)
                .allSatisfy((name, word) -> assertThat(word).as(name).isEqualTo("EPERM"));
    }

    @Test
    void B150_what_libraries_have_another_way_for_is_absent() throws ConfinementException, InterruptedException {
        assertThat(attempt("clone3,openat2,beyond").values()).containsOnly("ENOSYS");
    }

    @Test
    void B150_threads_and_processes_still_start() throws ConfinementException, InterruptedException {
        assertThat(attempt("thread,fork,route").values()).containsOnly("ok");
    }

    @Test
    void B148_io_uring_is_absent() throws ConfinementException, InterruptedException {
        assertThat(attempt("io_uring_setup")).containsEntry("io_uring_setup", "ENOSYS");
    }

    @Test
    @EnabledIfSystemProperty(named = "os.arch", matches = "amd64", disabledReason = "other doors exist on x86-64 only")
    void B149_other_doors_into_the_kernel_are_closed() throws ConfinementException, InterruptedException {
        assertThat(attempt("x32,linux32")).isEqualTo(Map.of("x32", "ENOSYS", "linux32", "EPERM"));
        var ran = script(spec(), "./attempts int80; echo $?");
        assertThat(ran.out()).isEqualTo("159\n"); // 128 + SIGSYS
    }

    @Test
    void B131_no_byte_is_pushed_into_a_terminal() throws ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        var out = new ByteArrayOutputStream();
        try (var cage = runtime().create(spec())) {
            var run = Ran.start(
                    cage,
                    workspace.toString(),
                    new Streams.Pty(24, 80, InputStream.nullInputStream(), out),
                    workspace + "/attempts",
                    "TIOCSTI,TIOCSTI-high,TIOCLINUX");
            assertThat(run.await().status()).isZero();
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("TIOCSTI EPERM\r\nTIOCSTI-high EPERM\r\nTIOCLINUX EPERM\r\n");
    }

    @Test
    void only_unix_internet_and_route_sockets_exist() throws ConfinementException, InterruptedException {
        var answers = attempt("vsock,packet,alg,netfilter,raw,route");
        assertThat(answers)
                .isEqualTo(Map.of(
                        "vsock", "EAFNOSUPPORT",
                        "packet", "EAFNOSUPPORT",
                        "alg", "EAFNOSUPPORT",
                        "netfilter", "EAFNOSUPPORT",
                        "raw", "EPERM",
                        "route", "ok"));
    }

    @Test
    void B151_abstract_sockets_of_the_host_are_not_there()
            throws IOException, ConfinementException, InterruptedException {
        Attempts.copyTo(workspace);
        var listener = new ProcessBuilder("python3", "-c", """
                        import socket, sys
                        s = socket.socket(socket.AF_UNIX); s.bind("\\0cage-test-stream"); s.listen()
                        d = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); d.bind("\\0cage-test-datagram")
                        print("up", flush=True); sys.stdin.read()
                        """).start();
        try (var up = listener.inputReader(StandardCharsets.UTF_8)) {
            assertThat(up.readLine()).isEqualTo("up");
            assertThat(attempt("abstract-stream", "cage-test-stream")).containsValue("ECONNREFUSED");
            assertThat(attempt("abstract-datagram", "cage-test-datagram")).containsValue("ECONNREFUSED");
        } finally {
            listener.destroy();
            listener.waitFor();
        }
    }

    @Test
    void no_capability_is_left_and_none_can_come_back() throws ConfinementException, InterruptedException {
        var status = ok(spec(), "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status");
        assertThat(status.lines().map(line -> line.replaceAll("\\s+", " ")))
                .containsExactly(
                        "CapInh: 0000000000000000",
                        "CapPrm: 0000000000000000",
                        "CapEff: 0000000000000000",
                        "CapBnd: 0000000000000000",
                        "CapAmb: 0000000000000000",
                        "NoNewPrivs: 1",
                        "Seccomp: 2");
    }
}
