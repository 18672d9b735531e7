package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Commits made in a cage of the packaged product and signed by a real ssh agent outside of it.
class SigningTest {
    private static final Path PRODUCT =
            Path.of("..", "cagewright").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Process agent;

    @SuppressWarnings("NullAway") // set before each test
    private Path socket;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        for (String program : List.of("git", "ssh-agent", "ssh-add", "ssh-keygen")) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), program + " is not on this machine");
        }
        // the name of a unix socket is short
        socket = Files.createTempDirectory("cw-agent-").resolve("s");
        agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("agent.out").toFile())
                .start();
        for (String name : List.of("one", "two")) {
            good(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-C",
                    name,
                    "-f",
                    folder.resolve(name).toString());
        }
        await();
        good("ssh-add", "-q", folder.resolve("one").toString());
        Files.createDirectory(folder.resolve("repository"));
        good("git", "init", "-q", "-b", "main");
        good("git", "config", "user.name", "Ada");
        good("git", "config", "user.email", "ada@example.com");
        Files.writeString(
                folder.resolve("policy.yaml"), "tool: signed\nfs: {mounts: [{path: /workspace, mode: rw}]}\n");
    }

    /// Until the agent answers: with its keys, or that it has none (1).
    private void await() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (System.nanoTime() < end) {
            if (ran("ssh-add", "-l").exit() < 2) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the ssh agent does not answer");
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        agent.destroy();
        agent.waitFor();
        Files.deleteIfExists(socket);
        Files.delete(socket.getParent());
    }

    private record Ran(int exit, String out) {}

    private Ran ran(String... words) throws IOException, InterruptedException {
        var here = folder.resolve("repository");
        var builder = new ProcessBuilder(words)
                .directory((Files.isDirectory(here) ? here : folder).toFile())
                .redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "SSH_AUTH_SOCK", socket.toString(),
                        "GIT_CONFIG_GLOBAL", "/dev/null",
                        "XDG_STATE_HOME", folder.resolve("state").toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        var process = builder.start();
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ran(process.waitFor(), out);
    }

    private String good(String... words) throws IOException, InterruptedException {
        var ran = ran(words);
        assertThat(ran.exit()).as(String.join(" ", words) + ": " + ran.out()).isZero();
        return ran.out();
    }

    private Ran caged(List<String> options, String... program) throws IOException, InterruptedException {
        var line = new ArrayList<>(List.of(PRODUCT.toString(), "run", "--quiet", "--policy"));
        line.add(folder.resolve("policy.yaml").toString());
        line.addAll(options);
        line.add("--");
        line.addAll(List.of(program));
        return ran(line.toArray(String[]::new));
    }

    private Ran commit(List<String> options) throws IOException, InterruptedException {
        return caged(options, "git", "commit", "-q", "--allow-empty", "-m", "in the cage");
    }

    private Ran verified() throws IOException, InterruptedException {
        var signers = Files.writeString(
                folder.resolve("signers"), "ada@example.com " + Files.readString(folder.resolve("one.pub")));
        return ran(
                "git", "-c", "gpg.format=ssh", "-c", "gpg.ssh.allowedSignersFile=" + signers, "verify-commit", "HEAD");
    }

    @Test
    void a_commit_of_the_cage_is_signed_by_the_agent_outside() throws IOException, InterruptedException {
        var made = commit(List.of("--sign"));
        assertThat(made.exit()).as(made.out()).isZero();

        var verified = verified();
        assertThat(verified.exit()).as(verified.out()).isZero();
        assertThat(verified.out()).contains("Good \"git\" signature for ada@example.com");
        assertThat(good(PRODUCT.toString(), "audit", "events", "--json"))
                .contains("\"secret.use\"", "git-signing", "\"namespace\":\"git\"");
    }

    @Test
    void without_being_asked_for_there_is_no_agent_and_no_signature() throws IOException, InterruptedException {
        assertThat(caged(List.of(), "ssh-add", "-l").out()).contains("Could not open a connection");
        assertThat(commit(List.of()).exit()).isZero();
        assertThat(verified().exit()).isNotZero();
    }

    @Test
    void the_agent_in_the_cage_shows_one_key_and_signs_nothing_but_commits() throws IOException, InterruptedException {
        good("ssh-add", "-q", folder.resolve("two").toString());
        var ambiguous = commit(List.of("--sign"));
        assertThat(ambiguous.exit()).isEqualTo(125);
        assertThat(ambiguous.out()).contains("there is more than one of the keys of your ssh agent", " one, ", " two)");

        var one = List.of("--sign=one");
        assertThat(caged(one, "ssh-add", "-L").out())
                .contains(Files.readString(folder.resolve("one.pub")).split(" ", -1)[1])
                .doesNotContain(Files.readString(folder.resolve("two.pub")).split(" ", -1)[1]);
        Files.copy(folder.resolve("one.pub"), folder.resolve("repository").resolve("one.pub"));
        Files.copy(folder.resolve("two.pub"), folder.resolve("repository").resolve("two.pub"));
        for (String[] refused : List.of(
                new String[] {"ssh-keygen", "-Y", "sign", "-n", "file", "-U", "-f", "one.pub", "one.pub"},
                new String[] {"ssh-add", "-D"},
                new String[] {"ssh-add", "-x"})) {
            assertThat(caged(one, refused).exit()).as(String.join(" ", refused)).isNotZero();
        }
        assertThat(caged(one, "ssh-keygen", "-Y", "sign", "-n", "git", "-U", "-f", "one.pub", "two.pub")
                        .exit())
                .isZero();
        assertThat(good("ssh-add", "-l")).contains(" one ", " two ");
        assertThat(good(PRODUCT.toString(), "audit", "events", "--json"))
                .contains("signing.refused", "it is a signature for another purpose than git's");
    }

    /// Asks by hand, as no client does: for each file of a key a signature for git, then one that logs in somewhere.
    private static final String BY_HAND = """
            import base64, os, socket, struct, sys
            def string(data): return struct.pack(">I", len(data)) + data
            def ask(body):
                agent = socket.socket(socket.AF_UNIX)
                agent.connect(os.environ["SSH_AUTH_SOCK"])
                agent.sendall(string(body))
                return agent.makefile("rb").read(5)[4]
            git = b"SSHSIG" + string(b"git") + string(b"") + string(b"sha512") + string(bytes(64))
            for file in sys.argv[1:]:
                key = base64.b64decode(open(file).read().split()[1])
                login = string(bytes(32)) + b"\\x32" + string(b"git") + string(b"ssh-connection") + string(b"publickey")
                login += b"\\x01" + string(b"ssh-ed25519") + string(key)
                for data in git, login, git + b"x":
                    print(file, ask(b"\\x0d" + string(key) + string(data) + bytes(4)))
            """;

    @Test
    void a_log_in_is_not_signed_nor_anything_with_another_key() throws IOException, InterruptedException {
        good("ssh-add", "-q", folder.resolve("two").toString());
        var here = folder.resolve("repository");
        for (String key : List.of("one.pub", "two.pub")) {
            Files.copy(folder.resolve(key), here.resolve(key));
        }
        Files.writeString(here.resolve("by-hand.py"), BY_HAND);

        var asked = caged(List.of("--sign=one"), "python3", "by-hand.py", "one.pub", "two.pub");

        assertThat(asked.out().lines().filter(line -> line.contains(".pub ")))
                .containsExactly("one.pub 14", "one.pub 5", "one.pub 5", "two.pub 5", "two.pub 5", "two.pub 5");
        assertThat(good(PRODUCT.toString(), "audit", "events", "--json"))
                .contains("it is not what git signs (a log-in, perhaps)", "it asks for another key than SHA256:");
    }

    @Test
    void a_signature_that_a_person_has_to_agree_to_is_refused_where_nobody_does()
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve("policy.yaml"), """
                tool: signed
                fs: {mounts: [{path: /workspace, mode: rw}]}
                credentials: [{name: git-signing, use_with: [], sign: {purpose: git}}]
                approval: {timeout: 1s, require_for: [{secret.use: {names: [git-signing]}}]}
                """);
        var refused = commit(List.of());
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.out()).contains("agent refused operation");
        assertThat(ran("git", "log").exit()).isNotZero();
    }

    @Test
    void a_run_that_cannot_sign_does_not_run_and_says_why() throws IOException, InterruptedException {
        var policy = folder.resolve("policy.yaml");
        Files.writeString(
                policy, Files.readString(policy) + "credentials: [{name: s, use_with: [], sign: {purpose: gpg}}]\n");
        assertThat(commit(List.of()).out())
                .contains("(expected: git; OpenPGP keys are not relayed, git signs with ssh keys: gpg.format ssh)");

        Files.writeString(policy, "tool: signed\nfs: {mounts: [{path: /workspace, mode: rw}]}\n");
        good("ssh-add", "-D");
        var none = commit(List.of("--sign"));
        assertThat(none.exit()).isEqualTo(125);
        assertThat(none.out()).contains("your ssh agent has no key to sign with (ssh-add adds one)");
    }
}
