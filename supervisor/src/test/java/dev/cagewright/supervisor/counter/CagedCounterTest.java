package dev.cagewright.supervisor.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.policy.token.Link;
import dev.cagewright.policy.token.RevId;
import dev.cagewright.policy.token.TokenJudge;
import dev.cagewright.policy.token.TokenKey;
import dev.cagewright.policy.token.right.Axis;
import dev.cagewright.policy.token.right.Rights;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.RunOutcome;
import dev.cagewright.supervisor.session.RunRequest;
import dev.cagewright.supervisor.session.RunWatcher;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.token.Delegations;
import dev.cagewright.supervisor.token.RevocationFile;
import dev.cagewright.supervisor.token.TokenOffice;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A program in a cage at the counter of its session, with an ordinary client.
class CagedCounterTest {
    @TempDir
    private Path folder;

    private String state = "state";

    private final TokenKey key = TokenKey.of(new byte[TokenKey.LENGTH]);

    private static final RunWatcher NOBODY = new RunWatcher() {
        @Override
        public void starting(Warrant warrant, List<String> notices) {}

        @Override
        public Watch started(Run run) {
            return () -> {};
        }
    };

    private static Link root() {
        long now = InstantSource.system().instant().getEpochSecond();
        var rights = Rights.NONE
                .with(Axis.ACTIONS, List.of("proc.exec", "fs.read", "fs.write", "http.request"))
                .with(Axis.HOSTS, List.of("api.example.com"))
                .with(Axis.METHODS, List.of("GET", "POST"))
                .with(Axis.MOUNTS, List.of("rw:/workspace"));
        return new Link(new RevId("root-1"), Optional.empty(), now, now + 600, rights);
    }

    /// Whether the cage may hand its token on.
    private enum Counter {
        OPEN,
        NONE
    }

    private String out(Counter counter, String... argv) throws Exception, InterruptedException {
        var workspace = Files.createDirectories(folder.resolve("workspace")).toRealPath();
        var folders = new StateFolders(folder.resolve("config"), folder.resolve(state));
        var file =
                Files.writeString(folder.resolve("p.yaml"), "tool: t\nfs: {mounts: [{path: /workspace, mode: rw}]}\n");
        var policy = PolicyInForce.of(
                PolicyFiles.of(folders).layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
        var log = folder.resolve("audit.jsonl");
        var list = RevocationFile.of(folders, key, Optional.empty(), InstantSource.system());
        var text = new TokenOffice(key, list, TokenOffice.Ledger.in(log), "host").mint(root());
        var judge = TokenJudge.of(TokenOffice.verifier(key, list), text);
        var id = new SessionId("abcdefghij");
        var place = new Session.Place(folders.session(id), new OwnFiles(folders, log, policy.files()));
        var out = new ByteArrayOutputStream();
        var request = new RunRequest(
                Arrays.stream(argv).map(ByteString::of).toList(),
                ByteString.of(workspace.toString()),
                Map.of(),
                new Streams.Pipes(InputStream.nullInputStream(), out, out));
        try (var session = Session.open(id, policy.terms().under(judge), place, policy::reasons)) {
            if (counter == Counter.OPEN) {
                var office = new TokenOffice(key, list, session::note, id.value());
                session.handOn(new HeldToken(office, judge.token().orElseThrow(), text, id.value()));
            }
            var outcome = session.run(
                    session.pass(session.programOf(request), request), request, NamespacesRuntime::start, NOBODY);
            assertThat(outcome).as("outcome").isInstanceOf(RunOutcome.Ended.class);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String[] curl(String body) {
        return new String[] {
            "curl", "-sS", "--unix-socket", "/run/cagewright/token/socket", "-d", body, "http://token/v1/attenuate"
        };
    }

    @Test
    void I3_a_caged_client_gets_a_narrower_token_and_the_tree_shows_by_whom() throws Exception, InterruptedException {
        assertThat(out(Counter.OPEN, curl("{\"name\":\"sub\",\"methods\":[\"GET\"]}")))
                .startsWith("{\"rev\":\"abcdefghij-1.sub\"")
                .contains("\"token\":\"cwt1.");

        var tree = Delegations.of(folder.resolve("audit.jsonl"));
        assertThat(tree.childrenOf(tree.roots().getFirst())).singleElement().satisfies(child -> {
            assertThat(child.by()).isEqualTo("abcdefghij");
            assertThat(child.lineage()).containsExactly("root-1", "abcdefghij-1.sub");
        });
    }

    @Test
    void I3_a_caged_client_gets_nothing_wider() throws Exception, InterruptedException {
        assertThat(out(Counter.OPEN, curl("{\"hosts\":[\"*.example.com\"]}")))
                .contains("\"code\":\"token:wider\"")
                .doesNotContain("cwt1.");
        assertThat(Delegations.of(folder.resolve("audit.jsonl")).all()).hasSize(1);
    }

    @Test
    void a_program_is_told_where_the_counter_is_and_finds_none_where_none_is_opened()
            throws Exception, InterruptedException {
        assertThat(out(Counter.OPEN, "env")).contains("CAGEWRIGHT_TOKEN_SOCKET=/run/cagewright/token/socket\n");
        assertThat(out(Counter.NONE, "env")).doesNotContain("CAGEWRIGHT_TOKEN_SOCKET");
        assertThat(out(Counter.NONE, curl("{}"))).startsWith("curl: ");
    }

    @Test
    void the_cage_is_not_told_where_the_state_is_and_nothing_is_left_of_the_socket()
            throws Exception, InterruptedException {
        assertThat(out(Counter.OPEN, "cat", "/proc/self/mountinfo"))
                .contains(" /run/cagewright/token ro")
                .doesNotContain("/" + state + "/", "/sessions/");
        assertThat(folder.resolve(state + "-homes")).isEmptyDirectory();
    }

    @Test
    void the_cage_cannot_take_the_socket_away_or_put_its_own_there() throws Exception, InterruptedException {
        assertThat(out(Counter.OPEN, "rm", "-f", "/run/cagewright/token/socket"))
                .contains("Read-only file system");
        assertThat(out(Counter.OPEN, "touch", "/run/cagewright/token/other")).contains("Read-only file system");
    }

    @Test
    void a_session_whose_folder_has_too_long_a_name_for_a_socket_has_its_counter_elsewhere()
            throws Exception, InterruptedException {
        state = "s".repeat(90);
        assertThat(out(Counter.OPEN, curl("{}"))).contains("\"token\":\"cwt1.");
    }
}
