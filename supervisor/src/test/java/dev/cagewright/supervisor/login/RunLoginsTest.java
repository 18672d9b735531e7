package dev.cagewright.supervisor.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.egress.login.TokenSource;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.Mount;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Protection;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunLoginsTest {
    private static final String ACCESS = "access-0123456789abcdef";
    private static final String REFRESH = "refresh-0123456789abcdef";
    private static final HostName AUTH = new HostName("auth.test");

    private StateFolders folders = new StateFolders(Path.of("/nonexistent"), Path.of("/nonexistent"));
    private final List<RunLogins> open = new ArrayList<>();

    @BeforeEach
    void open(@TempDir Path home) throws IOException {
        folders = StateFolders.of(Map.of("HOME", home.toString()));
        try (var vault = Vault.openOrMake(folders, Person.NOBODY, Optional.of(Protection.FILE))) {
            assertThat(vault.scopes()).isEmpty();
        }
    }

    @AfterEach
    void close() {
        open.forEach(RunLogins::close);
    }

    private static Credential client() {
        return new Credential(
                "client",
                Optional.empty(),
                List.of("api.test"),
                Optional.empty(),
                List.of(),
                Optional.of(new Credential.Login(
                        "auth.test", "/oauth/token", Credential.Login.USUAL, Optional.of("/oauth/revoke"))),
                Optional.empty());
    }

    private EffectivePolicy policy(String home) throws BadPolicyException {
        var mount = new Mount(
                new GuestPath("/home/cage"),
                Mount.Access.RW,
                new Mount.Source.HostPath(folders.homes().resolve(home).toString()));
        var document =
                PolicyDocument.EMPTY.with(List.of(mount), List.of()).withCredentials(Optional.of(List.of(client())));
        return EffectivePolicy.of(List.of(new Layer(Layer.Rank.PROJECT, document)), Map.of());
    }

    private RunLogins run(String home) throws IOException, BadPolicyException {
        var run = RunLogins.of(policy(home), folders, Optional.empty());
        open.add(run);
        return run;
    }

    private static TokenSource source(RunLogins run) {
        return run.at(AUTH, "/oauth/token").orElseThrow();
    }

    /// Keeps tokens, and says the decoys.
    private static Map<String, String> keep(RunLogins run, Set<String> renewed, String access, String refresh)
            throws IOException {
        var tokens = Map.of(
                "access_token", SecretValue.copyOf(access.getBytes(US_ASCII)),
                "refresh_token", SecretValue.copyOf(refresh.getBytes(US_ASCII)));
        var decoys = new HashMap<String, String>();
        source(run).keep(tokens, renewed).forEach((field, decoy) -> decoys.put(field, new String(decoy, US_ASCII)));
        return decoys;
    }

    /// What stands for what, as a run knows it.
    private static Map<String, String> lent(RunLogins run) {
        var all = new HashMap<String, String>();
        run.lent().forEach(token -> all.put(token.secret().decoyText(), value(token.secret())));
        return all;
    }

    private static String value(HeldSecret secret) {
        return secret.value().lend(bytes -> new String(bytes, US_ASCII));
    }

    @Test
    void tokens_last_for_the_home_that_they_were_got_in_and_no_other() throws Exception {
        var decoys = keep(run("agent-one"), Set.of(), ACCESS, REFRESH);

        assertThat(lent(run("agent-one")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(decoys.get("access_token"), ACCESS, decoys.get("refresh_token"), REFRESH));
        assertThat(lent(run("agent-two"))).isEmpty();
        assertThat(run("agent-one").loggedIn().stream().map(Credential::name)).containsExactly("client");
        assertThat(run("agent-two").loggedIn()).isEmpty();
    }

    @Test
    void renewed_tokens_take_the_place_of_those_before_and_the_last_decoys_stay_good() throws Exception {
        var run = run("agent-one");
        var first = keep(run, Set.of(), ACCESS, REFRESH);
        assertThat(source(run).renewable().stream().map(HeldSecret::name)).containsExactly("0");

        var second = keep(run, Set.of("0"), "access-two-0123456789", "refresh-two-0123456789");

        var all = Map.of(
                first.get("access_token"), "access-two-0123456789",
                second.get("access_token"), "access-two-0123456789",
                first.get("refresh_token"), "refresh-two-0123456789",
                second.get("refresh_token"), "refresh-two-0123456789");
        assertThat(lent(run)).containsExactlyInAnyOrderEntriesOf(all);
        assertThat(lent(run("agent-one"))).containsExactlyInAnyOrderEntriesOf(all);
        assertThat(run.former().stream().map(RunLoginsTest::value)).containsExactlyInAnyOrder(ACCESS, REFRESH);
        for (int i = 0; i < 5; i++) {
            keep(run, Set.of("0"), "access-" + i + "-0123456789", "refresh-" + i + "-0123456789");
        }
        assertThat(lent(run)).hasSize(2 * LoginRecord.MOST_DECOYS).doesNotContainKey(first.get("access_token"));
    }

    @Test
    void a_token_that_stays_keeps_its_decoy() throws Exception {
        var run = run("agent-one");
        var first = keep(run, Set.of(), ACCESS, REFRESH);
        var second = keep(run, Set.of("0"), "access-two-0123456789", REFRESH);

        assertThat(second.get("refresh_token")).isEqualTo(first.get("refresh_token"));
        assertThat(second.get("access_token")).isNotEqualTo(first.get("access_token"));
    }

    @Test
    void another_log_in_stands_beside_the_first_and_only_so_many_do() throws Exception {
        var run = run("agent-one");
        for (int i = 0; i < LoginRecord.MOST_GRANTS + 2; i++) {
            keep(run, Set.of(), "access-" + i + "-0123456789", "refresh-" + i + "-0123456789");
        }
        assertThat(lent(run).values())
                .hasSize(2 * LoginRecord.MOST_GRANTS)
                .contains("access-5-0123456789", "access-2-0123456789")
                .doesNotContain("access-1-0123456789");
    }

    @Test
    void what_is_logged_out_is_used_no_more_and_cannot_be_renewed() throws Exception {
        var run = run("agent-one");
        keep(run, Set.of(), ACCESS, REFRESH);
        var before = source(run);
        assertThat(run.look()).isEmpty();
        try (var vault = Vault.open(folders, Person.NOBODY).orElseThrow()) {
            vault.store(Scope.ofHome("agent-one")).remove("client");
        }

        assertThatThrownBy(() -> before.keep(
                        Map.of("access_token", SecretValue.copyOf("access-two-0123456789".getBytes(US_ASCII))),
                        Set.of("0")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the log-in client was ended meanwhile");
        assertThat(run.look()).containsExactly(Map.entry("client", "was logged out: its use is refused"));
        assertThat(run.lent()).isEmpty();
        assertThat(run.former().stream().map(RunLoginsTest::value)).containsExactlyInAnyOrder(ACCESS, REFRESH);
    }

    @Test
    void what_another_run_of_the_home_gets_is_known_at_the_next_look() throws Exception {
        var one = run("agent-one");
        var other = run("agent-one");
        keep(one, Set.of(), ACCESS, REFRESH);

        assertThat(other.lent()).isEmpty();
        assertThat(other.look()).containsExactly(Map.entry("client", "has other tokens, which are used from here on"));
        assertThat(lent(other)).isEqualTo(lent(one));
    }

    @Test
    void a_grant_with_very_long_tokens_still_has_room() throws Exception {
        var run = run("agent-one");
        for (int i = 0; i < 4; i++) {
            keep(run, Set.of(), "a".repeat(9_000) + i, "b".repeat(9_000) + i);
        }
        assertThat(lent(run("agent-one")).values()).contains("a".repeat(9_000) + "3", "b".repeat(9_000) + "3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/oauth/token",
                "/oauth/token/",
                "/OAuth/Token",
                "//oauth//token",
                "/oauth/token;v=1",
                "/oauth;a/token",
                "/oauth%2Ftoken"
            })
    void a_path_that_a_server_may_read_as_the_end_points_is_the_end_points(String path) throws Exception {
        assertThat(run("agent-one").at(AUTH, path).orElseThrow().reading()).isEqualTo(TokenSource.Reading.STRICT);
    }

    @Test
    void other_paths_of_the_host_are_watched_and_other_hosts_are_not() throws Exception {
        var run = run("agent-one");
        assertThat(run.at(AUTH, "/oauth/tokens").orElseThrow().reading()).isEqualTo(TokenSource.Reading.WATCHFUL);
        assertThat(run.at(new HostName("api.test"), "/oauth/token")).isEmpty();
        assertThat(run.at(new HostName("evil.auth.test"), "/oauth/token")).isEmpty();
    }

    @Test
    void an_end_point_that_passes_unopened_is_refused() throws PolicySyntaxException, BadPolicyException {
        var file = LoadedPolicy.of(Path.of("/p.yaml"), "p.yaml", """
                net: {hosts: [{host: auth.test, inspect: false}]}
                credentials:
                  - {name: client, use_with: [api.test], login: {host: auth.test, path: /oauth/token}}
                """);
        var policy = EffectivePolicy.of(List.of(new Layer(Layer.Rank.PROJECT, file.document())), Map.of());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunLogins.of(policy, folders, Optional.empty()))
                .withMessage("credentials: client is had by logging in at auth.test, whose bytes pass unopened, so its"
                        + " tokens would reach the cage (expected: no inspect: false for that host)");
    }
}
