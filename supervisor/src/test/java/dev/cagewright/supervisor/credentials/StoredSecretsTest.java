package dev.cagewright.supervisor.credentials;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Layer;
import dev.cagewright.secrets.store.Binding;
import dev.cagewright.secrets.store.Refresh;
import dev.cagewright.secrets.store.SecretStore;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.HeldSecret;
import dev.cagewright.secrets.value.SecretValue;
import dev.cagewright.supervisor.state.StateFolders;
import dev.cagewright.supervisor.vault.Person;
import dev.cagewright.supervisor.vault.Protection;
import dev.cagewright.supervisor.vault.Scope;
import dev.cagewright.supervisor.vault.Vault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredSecretsTest {
    private static final String NAME = "API_KEY";
    private static final String CANARY = "sk-ant-api03-canary0123456789ABCDEFGHIJ";
    private static final String OTHER = "sk-ant-api03-canary9876543210ABCDEFGHIJ";

    private StateFolders folders = new StateFolders(Path.of("/nonexistent"), Path.of("/nonexistent"));
    private StoredSecrets stored = new StoredSecrets(folders, Person.NOBODY);

    @BeforeEach
    void open(@TempDir Path home) throws IOException {
        folders = StateFolders.of(Map.of("HOME", home.toString()));
        stored = new StoredSecrets(folders, Person.NOBODY);
    }

    @AfterEach
    void close() {
        stored.close();
    }

    private Vault vault() throws IOException {
        return Vault.openOrMake(folders, Person.NOBODY, Optional.of(Protection.FILE));
    }

    private void put(Scope scope, String text, SecretStore.Terms terms) throws IOException {
        try (var vault = vault();
                var value = SecretValue.copyOf(text.getBytes(US_ASCII))) {
            vault.store(scope).put(NAME, value, terms);
        }
    }

    private void put(String text) throws IOException {
        put(Scope.USER, text, SecretStore.Terms.USUAL);
    }

    private static EffectivePolicy policy(Credential... credentials) throws BadPolicyException {
        var document = PolicyDocument.EMPTY.withCredentials(Optional.of(List.of(credentials)));
        return EffectivePolicy.of(List.of(new Layer(Layer.Rank.PROJECT, document)), Map.of());
    }

    private static Credential entry() {
        return new Credential(NAME, Optional.of("KEY"), List.of("api.test"), Optional.empty());
    }

    private RunSecrets lent() throws IOException, BadPolicyException {
        return stored.lent(policy(entry()));
    }

    private static String value(HeldSecret secret) {
        return secret.value().lend(bytes -> new String(bytes, US_ASCII));
    }

    @Test
    void a_run_has_a_decoy_in_its_variable_and_the_value_outside() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            var block = secrets.over(List.of(ByteString.of("PATH=/bin"), ByteString.of("KEY=from the caller")));

            assertThat(block).hasSize(2).first().isEqualTo(ByteString.of("PATH=/bin"));
            assertThat(block.getLast().latin1()).matches("KEY=sk-ant-api03-[A-Za-z0-9_-]{26}");
            assertThat(value(secrets.held().getFirst())).isEqualTo(CANARY);
            assertThat(secrets + " " + secrets.held() + secrets.credentials()).doesNotContain("canary");
        }
    }

    @Test
    void every_session_has_another_decoy() throws IOException, BadPolicyException {
        put(CANARY);
        try (var one = lent();
                var other = lent()) {
            assertThat(one.variables().get("KEY"))
                    .isNotEqualTo(other.variables().get("KEY"));
        }
    }

    @Test
    void a_value_in_another_variable_is_replaced_by_its_decoy() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            var decoy = secrets.variables().get("KEY");
            var block = secrets.over(
                    List.of(ByteString.of("ALL=" + CANARY), ByteString.of("IN=https://u:" + CANARY + "@h/" + CANARY)));
            assertThat(block)
                    .startsWith(ByteString.of("ALL=" + decoy), ByteString.of("IN=https://u:" + decoy + "@h/" + decoy));
        }
    }

    @Test
    void a_short_value_is_replaced_only_where_it_is_everything() throws IOException, BadPolicyException {
        put("a1b2");
        try (var secrets = lent()) {
            var block = secrets.over(List.of(ByteString.of("ALL=a1b2"), ByteString.of("PART=xa1b2x")));
            assertThat(block.getFirst()).isNotEqualTo(ByteString.of("ALL=a1b2"));
            assertThat(block.get(1)).isEqualTo(ByteString.of("PART=xa1b2x"));
            assertThat(secrets.shownIn(List.of(ByteString.of("a1b2")))).contains(NAME);
            assertThat(secrets.shownIn(List.of(ByteString.of("xa1b2"), ByteString.of(""))))
                    .isEmpty();
        }
    }

    @Test
    void a_value_among_the_words_of_a_command_is_noticed() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            assertThat(secrets.shownIn(List.of(ByteString.of("curl"), ByteString.of("-Hx-api-key: " + CANARY))))
                    .contains(NAME);
            assertThat(secrets.shownIn(List.of(ByteString.of(CANARY.substring(1)))))
                    .isEmpty();
        }
    }

    @Test
    void what_is_not_stored_is_refused_with_the_command_that_stores_it() {
        assertThatThrownBy(this::lent)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no secret API_KEY is stored, so nothing runs (cagewright secret set API_KEY");
    }

    @Test
    void a_policy_without_credentials_opens_no_store() throws IOException, BadPolicyException {
        Files.createDirectories(folders.state().resolve("secrets"));
        Files.writeString(folders.state().resolve("secrets/key"), "garbage");
        assertThat(stored.lent(policy()).isEmpty()).isTrue();
        assertThatThrownBy(this::lent).isInstanceOf(StoreException.class);
    }

    @Test
    void a_cages_own_secret_comes_before_the_one_of_every_cage() throws IOException, BadPolicyException {
        put(CANARY);
        put(Scope.of(new CageName("build")), OTHER, SecretStore.Terms.USUAL);
        var document = new PolicyDocument(
                Optional.of(new CageName("build")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(List.of(entry())),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                PolicyDocument.EMPTY.origins());
        var own = EffectivePolicy.of(List.of(new Layer(Layer.Rank.PROJECT, document)), Map.of());
        try (var secrets = stored.lent(own);
                var others = lent()) {
            assertThat(value(secrets.held().getFirst())).isEqualTo(OTHER);
            assertThat(value(others.held().getFirst())).isEqualTo(CANARY);
        }
    }

    @Test
    void a_wish_becomes_the_entry_that_the_store_binds() throws IOException {
        put(CANARY);
        try (var vault = vault()) {
            vault.store(Scope.USER)
                    .bind(NAME, new Binding(List.of("api.test"), List.of("query"), Optional.empty(), List.of("netrc")));
        }
        var added = stored.wished(List.of(SecretWish.parse("API_KEY=OTHER_VAR")), PolicyDocument.EMPTY);
        assertThat(added)
                .contains(List.of(new Credential(
                        NAME,
                        Optional.of("OTHER_VAR"),
                        List.of("api.test"),
                        Optional.of(List.of(Credential.Place.QUERY)),
                        List.of(Credential.Prepared.NETRC))));
    }

    @Test
    void a_wish_for_what_the_policy_has_changes_the_variable_alone() throws IOException {
        var document = PolicyDocument.EMPTY.withCredentials(Optional.of(List.of(entry())));
        assertThat(stored.wished(List.of(SecretWish.parse(NAME)), document)).contains(List.of(entry()));
        assertThat(stored.wished(List.of(SecretWish.parse("API_KEY=X")), document)
                        .orElseThrow())
                .containsExactly(new Credential(NAME, Optional.of("X"), List.of("api.test"), Optional.empty()));
    }

    @Test
    void a_secret_that_is_bound_to_nowhere_is_refused() throws IOException {
        put(CANARY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored.wished(List.of(SecretWish.parse(NAME)), PolicyDocument.EMPTY))
                .withMessageContaining("API_KEY is bound to no host")
                .withMessageContaining("cagewright secret bind API_KEY --use-with HOST");
    }

    @Test
    void a_wish_that_is_none_is_not_shown() {
        for (String text : List.of("", "=X", "A=", "A=1x", "sk-canary/x", "A=B=C")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> SecretWish.parse(text))
                    .withMessageStartingWith("-s: is neither NAME nor NAME=VARIABLE")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("canary"));
        }
    }

    @Test
    void a_variable_that_the_cage_sets_itself_is_refused() throws IOException {
        put(CANARY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stored.lent(
                        policy(new Credential(NAME, Optional.of("PATH"), List.of("api.test"), Optional.empty()))))
                .withMessageContaining("in the variable PATH (expected: one that the cage does not set itself)");
    }

    @Test
    void a_rotated_secret_has_its_new_value_under_the_same_decoy() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            var decoy = secrets.variables().get("KEY");
            assertThat(secrets.look()).isEmpty();
            put(OTHER);

            assertThat(secrets.look()).containsEntry(NAME, "has another value, which is used from here on");
            assertThat(value(secrets.held().getFirst())).isEqualTo(OTHER);
            assertThat(secrets.variables()).containsEntry("KEY", decoy);
            assertThat(secrets.usable()).containsExactly(NAME);
            assertThat(secrets.former()).hasSize(1);
            assertThat(value(secrets.former().getFirst())).isEqualTo(CANARY);
            assertThat(secrets.look()).isEmpty();
        }
    }

    @Test
    void a_removed_secret_may_not_be_used_any_more() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            try (var vault = vault()) {
                vault.store(Scope.USER).remove(NAME);
            }
            assertThat(secrets.look().get(NAME)).contains("its use is refused");
            assertThat(secrets.usable()).isEmpty();
            assertThat(secrets.held()).hasSize(1);
            put(OTHER);
            secrets.look();
            assertThat(secrets.usable()).isEmpty();
        }
    }

    @Test
    void rotated_decoys_are_worthless_in_the_sessions_that_have_them() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            try (var vault = vault()) {
                vault.store(Scope.USER).rotateDecoys(List.of(NAME));
            }
            assertThat(secrets.look()).containsOnlyKeys(NAME);
            assertThat(secrets.usable()).isEmpty();
            try (var later = lent()) {
                assertThat(later.usable()).containsExactly(NAME);
            }
        }
    }

    @Test
    void a_store_that_cannot_be_read_refuses_use_until_it_can() throws IOException, BadPolicyException {
        put(CANARY);
        try (var secrets = lent()) {
            var file = folders.state().resolve("secrets/user.secrets");
            var whole = Files.readAllBytes(file);
            Files.write(file, new byte[] {1, 2, 3});
            assertThat(secrets.look().get(NAME)).contains("its store cannot be read");
            assertThat(secrets.usable()).isEmpty();
            Files.write(file, whole);
            assertThat(secrets.look()).containsEntry(NAME, "may be used again");
            assertThat(secrets.usable()).containsExactly(NAME);
        }
    }

    @Test
    void an_expired_secret_is_refused_and_one_of_a_command_is_had_again() throws IOException, BadPolicyException {
        var past = Optional.of(Instant.now().minusSeconds(1));
        put(Scope.USER, CANARY, new SecretStore.Terms(Optional.empty(), past, SecretStore.Earlier.KEPT));
        assertThatThrownBy(this::lent)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the secret API_KEY has expired, or the clock was moved")
                .hasMessageContaining("cagewright secret rotate API_KEY");

        var command = new Refresh(List.of("/bin/sh", "-c", "echo " + OTHER), Optional.of(Duration.ofHours(1)));
        put(Scope.USER, CANARY, new SecretStore.Terms(Optional.of(command), past, SecretStore.Earlier.KEPT));
        try (var secrets = lent()) {
            assertThat(value(secrets.held().getFirst())).isEqualTo(OTHER);
        }
    }

    @Test
    void a_use_is_noted() throws IOException, BadPolicyException {
        put(CANARY);
        try (var _ = lent();
                var vault = vault()) {
            assertThat(vault.store(Scope.USER).find(NAME).orElseThrow().lastUsed())
                    .isPresent();
        }
    }

    @Test
    void prepared_files_hold_decoys_for_hosts_that_are_no_patterns() throws IOException, BadPolicyException {
        put(CANARY);
        var entry = new Credential(
                NAME,
                Optional.empty(),
                List.of("api.test", "*.other.test"),
                Optional.empty(),
                List.of(Credential.Prepared.values()));
        var policy = policy(entry);
        try (var secrets = stored.lent(policy)) {
            var decoy = secrets.decoy(NAME);
            assertThat(PreparedFiles.of(secrets, policy))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            ".netrc", "machine api.test\nlogin x-access-token\npassword " + decoy + "\n",
                            ".npmrc", "//api.test/:_authToken=" + decoy + "\n",
                            ".config/pip/pip.conf",
                                    "[global]\nindex-url = https://__token__:" + decoy + "@api.test/simple/\n"));
            assertThat(secrets.variables()).isEmpty();
        }
    }

    @Test
    void git_is_told_the_decoy_for_https_and_that_host_alone()
            throws IOException, BadPolicyException, InterruptedException {
        put(CANARY);
        var entry = new Credential(
                NAME,
                Optional.empty(),
                List.of("api.test", "*.other.test"),
                Optional.empty(),
                List.of(Credential.Prepared.GIT));
        var policy = policy(entry);
        try (var secrets = stored.lent(policy)) {
            var variables = GitAnswers.variables(secrets, policy);
            var known = "username=x-access-token\npassword=" + secrets.decoy(NAME) + "\n";
            assertThat(asked(variables, "protocol=https\nhost=api.test\n\n")).endsWith(known);
            assertThat(asked(variables, "protocol=https\nhost=api.test:8443\n\n"))
                    .endsWith(known);
            for (var other : List.of("protocol=http\nhost=api.test", "protocol=https\nhost=api.test.evil.test")) {
                assertThat(asked(variables, other + "\n\n")).doesNotContain(secrets.decoy(NAME));
            }
        }
    }

    @Test
    void git_is_told_nothing_where_nothing_is_prepared_for_it() throws IOException, BadPolicyException {
        put(CANARY);
        var policy = policy(new Credential(
                NAME, Optional.empty(), List.of("api.test"), Optional.empty(), List.of(Credential.Prepared.NETRC)));
        try (var secrets = stored.lent(policy)) {
            assertThat(GitAnswers.variables(secrets, policy)).isEmpty();
        }
    }

    /// What git has of its helper.
    private String asked(Map<String, String> variables, String question) throws IOException, InterruptedException {
        var builder = new ProcessBuilder("git", "credential", "fill")
                .directory(folders.state().toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(variables);
        builder.environment().putAll(Map.of("GIT_TERMINAL_PROMPT", "0", "GIT_ASKPASS", "/bin/false"));
        var process = builder.start();
        try (var to = process.getOutputStream()) {
            to.write(question.getBytes(US_ASCII));
        }
        var said = new String(process.getInputStream().readAllBytes(), US_ASCII);
        process.waitFor();
        return said;
    }
}
