package dev.cagewright.sandbox.environment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.environment.DroppedVariable.Asked;
import dev.cagewright.sandbox.environment.DroppedVariable.Reason;
import dev.cagewright.sandbox.environment.EnvironmentRequest.Streams;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CageEnvironmentTest {
    private static CageEnvironment compose(Map<String, String> caller, List<String> listed, Streams streams) {
        var bytes = new LinkedHashMap<ByteString, ByteString>();
        caller.forEach((name, value) -> bytes.put(ByteString.of(name), ByteString.of(value)));
        return CageEnvironment.compose(new EnvironmentRequest(bytes, listed, "ada", "s-1", streams));
    }

    private static @Nullable String value(CageEnvironment environment, String name) {
        var value = environment.variables().get(ByteString.of(name));
        return value == null ? null : value.latin1();
    }

    private static Map<String, Reason> reasons(CageEnvironment environment) {
        var reasons = new LinkedHashMap<String, Reason>();
        environment.dropped().forEach(one -> reasons.put(one.name().latin1(), one.reason()));
        return reasons;
    }

    @Test
    void an_empty_caller_still_gets_the_fixed_variables_and_nothing_else() {
        var environment = compose(Map.of(), List.of(), Streams.PIPES);

        assertThat(environment.block())
                .extracting(ByteString::latin1)
                .containsExactly(
                        "CAGEWRIGHT_SESSION=s-1",
                        "HOME=/home/cage",
                        "LOGNAME=ada",
                        "PATH=/usr/local/bin:/usr/bin:/bin",
                        "SHELL=/bin/sh",
                        "TMPDIR=/tmp",
                        "USER=ada");
        assertThat(environment.dropped()).isEmpty();
    }

    @Test
    void what_the_policy_lists_passes_and_its_neighbour_does_not() {
        var environment = compose(Map.of("BUILD_ID", "7", "BUILD_IDS", "8"), List.of("BUILD_ID"), Streams.PIPES);

        assertThat(value(environment, "BUILD_ID")).isEqualTo("7");
        assertThat(value(environment, "BUILD_IDS")).isNull();
        assertThat(reasons(environment)).containsExactly(Map.entry("BUILD_IDS", Reason.NOT_LISTED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD_PRELOAD",
                "LD_AUDIT",
                "GLIBC_TUNABLES",
                "BASH_ENV",
                "ENV",
                "PYTHONSTARTUP",
                "PYTHONPATH",
                "PERL5OPT",
                "RUBYOPT",
                "NODE_OPTIONS",
                "JAVA_TOOL_OPTIONS",
                "GIT_CONFIG_COUNT",
                "GIT_SSH_COMMAND",
                "GIT_EXTERNAL_DIFF",
                "MAVEN_OPTS",
                "PAGER",
                "EDITOR",
                "HTTPS_PROXY",
                "https_proxy",
                "SSL_CERT_FILE",
                "DBUS_SESSION_BUS_ADDRESS",
                "XDG_RUNTIME_DIR",
                "npm_config_script_shell"
            })
    void B167_a_variable_that_chooses_code_is_refused_by_name_even_if_the_policy_lists_it(String name) {
        var environment = compose(Map.of(name, "/work/x.so"), List.of(name), Streams.PIPES);

        assertThat(value(environment, name)).isNull();
        assertThat(environment.told())
                .extracting(DroppedVariable::sentence)
                .containsExactly(name + " decides what an allowed program loads or runs");
    }

    @Test
    void B167_the_path_of_the_caller_is_not_the_path_of_the_cage() {
        var environment = compose(Map.of("PATH", "/work/bin"), List.of("PATH"), Streams.PIPES);

        assertThat(value(environment, "PATH")).isEqualTo("/usr/local/bin:/usr/bin:/bin");
    }

    @Test
    void the_author_of_a_commit_is_no_danger_though_its_name_begins_like_one() {
        var environment = compose(Map.of("GIT_AUTHOR_NAME", "Ada"), List.of("GIT_AUTHOR_NAME"), Streams.PIPES);

        assertThat(value(environment, "GIT_AUTHOR_NAME")).isEqualTo("Ada");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "PGPASSWORD", "MYSQL_PWD", "GHTOKEN",
                "npm_config__authToken", "DATABASE_URL", "SSH_AUTH_SOCK", "STRIPE_KEY", "openAiApiKey", "DB_PASS",
                "GOOGLE_APPLICATION_CREDENTIALS", "SENTRY_DSN", "KUBECONFIG"
            })
    void a_name_that_looks_like_a_secret_is_dropped_and_told_even_if_listed(String name) {
        var environment = compose(Map.of(name, "hunter2"), List.of(name), Streams.PIPES);

        assertThat(value(environment, name)).isNull();
        assertThat(environment.told())
                .containsExactly(new DroppedVariable(ByteString.of(name), Reason.SECRET_NAME, Asked.BY_THE_POLICY));
        assertThat(environment.toString()).doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "KEYBOARD_LAYOUT",
                "AUTHOR",
                "TOKENIZERS_PARALLELISM",
                "MONKEY",
                "COMPASS",
                "PASSENGERS",
                "SALTY",
                "CI",
                "PATTERN"
            })
    void a_name_that_only_contains_a_secret_word_passes(String name) {
        var environment = compose(Map.of(name, "x"), List.of(name), Streams.PIPES);

        assertThat(value(environment, name)).isEqualTo("x");
        assertThat(environment.dropped()).isEmpty();
    }

    @Test
    void a_password_inside_an_address_is_found_and_a_plain_address_passes() {
        var environment = compose(
                Map.of("MIRROR", "https://ada:hunter2@mirror.test/", "OTHER", "https://mirror.test:8443/@x"),
                List.of("MIRROR", "OTHER"),
                Streams.PIPES);

        assertThat(reasons(environment)).containsExactly(Map.entry("MIRROR", Reason.SECRET_VALUE));
        assertThat(value(environment, "OTHER")).isEqualTo("https://mirror.test:8443/@x");
    }

    @Test
    void secrets_of_the_caller_that_nobody_asked_for_are_told_without_their_values() {
        var environment = compose(Map.of("GITHUB_TOKEN", "hunter2", "FOO", "bar"), List.of(), Streams.PIPES);

        assertThat(environment.told())
                .extracting(DroppedVariable::sentence)
                .containsExactly(
                        "GITHUB_TOKEN looks like a secret; use credentials: in the policy, which gives the cage a decoy");
    }

    @Test
    void a_terminal_brings_its_type_and_a_pipe_does_not() {
        var caller = Map.of("TERM", "xterm-256color", "COLORTERM", "truecolor", "LANG", "de_DE.UTF-8");

        var terminal = compose(caller, List.of(), Streams.TERMINAL);
        var pipes = compose(caller, List.of(), Streams.PIPES);

        assertThat(value(terminal, "TERM")).isEqualTo("xterm-256color");
        assertThat(value(terminal, "COLORTERM")).isEqualTo("truecolor");
        assertThat(value(pipes, "TERM")).isNull();
        assertThat(value(pipes, "LANG")).isEqualTo("de_DE.UTF-8");
    }

    @Test
    void a_time_zone_that_is_a_path_out_of_its_folder_is_not_taken_by_either_door() {
        var environment = compose(Map.of("TZ", ":../../work/evil"), List.of("TZ"), Streams.PIPES);

        assertThat(value(environment, "TZ")).isNull();
        assertThat(reasons(environment)).containsEntry("TZ", Reason.MALFORMED);
    }

    @Test
    void a_function_in_the_environment_and_odd_names_are_malformed() {
        var environment = compose(
                Map.of("GREET", "() { touch /tmp/x; }", "a b", "1"), List.of("GREET", "a b", "ABSENT"), Streams.PIPES);

        assertThat(reasons(environment))
                .containsEntry("GREET", Reason.MALFORMED)
                .containsEntry("a b", Reason.MALFORMED)
                .containsEntry("ABSENT", Reason.NOT_SET);
    }

    @Test
    void B126_a_value_that_is_not_text_arrives_byte_for_byte() {
        var value = ByteString.copyOf(new byte[] {(byte) 0xff, '\n', '\r', 'x'});
        var request = new EnvironmentRequest(
                Map.of(ByteString.of("RAW"), value), List.of("RAW"), "not a user;", "s", Streams.PIPES);

        var environment = CageEnvironment.compose(request);

        assertThat(environment.variables()).containsEntry(ByteString.of("RAW"), value);
        assertThat(environment.variables()).containsEntry(ByteString.of("USER"), ByteString.of("cage"));
    }

    @Test
    void the_block_of_a_process_is_split_into_bytes_and_nonsense_is_left_out() {
        byte[] block = "A=1\0=2\0B\0A=3\0C==\0\0D=\u00ff".getBytes(StandardCharsets.ISO_8859_1);

        var variables = CallerEnvironment.parse(block);

        assertThat(variables)
                .containsExactly(
                        Map.entry(ByteString.of("A"), ByteString.of("1")),
                        Map.entry(ByteString.of("C"), ByteString.of("=")),
                        Map.entry(ByteString.of("D"), ByteString.copyOf(new byte[] {(byte) 0xff})));
    }

    @Test
    void B265_the_callers_own_locale_comes_back_from_where_the_start_script_kept_it() {
        var none = CallerEnvironment.parse(bytes("LC_ALL=C.UTF-8\0CAGEWRIGHT_CALLER_LC_ALL=\0A=1\0"));
        var latin = CallerEnvironment.parse(bytes("LC_ALL=C.UTF-8\0CAGEWRIGHT_CALLER_LC_ALL=de_DE\0"));
        var untouched = CallerEnvironment.parse(bytes("LC_ALL=C\0"));

        assertThat(none).containsExactly(Map.entry(ByteString.of("A"), ByteString.of("1")));
        assertThat(latin).containsExactly(Map.entry(ByteString.of("LC_ALL"), ByteString.of("de_DE")));
        assertThat(untouched).containsExactly(Map.entry(ByteString.of("LC_ALL"), ByteString.of("C")));
    }

    private static byte[] bytes(String block) {
        return block.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void the_environment_of_this_process_can_be_read() throws Exception {
        var path = System.getenv("PATH");

        assertThat(CallerEnvironment.read()).containsEntry(ByteString.of("PATH"), ByteString.of(path));
    }
}
