package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckNetTest {
    private static final String POLICY = """
            tool: net
            net:
              registries: [npm]
              upstream_proxy: http://proxy.test:3128
              budget: {received: 1GiB/hour}
              hosts:
                - {host: api.test, methods: [GET], paths: ["/v1/**"], upstream_ca: /etc/corp.pem}
                - {host: pinned.test, inspect: false, addresses: [10.0.0.5]}
                - {host: db.test, port: 5432, protocol: tcp}
                - {host: few.test, budget: {requests: 5/day, sent: 2MiB}}
                - {alias: forge}
              aliases: {forge: git.test}
            """;

    @TempDir
    private Path folder;

    private Desk desk = new Desk(Path.of("/"), Map.of());
    private String policy = "";

    @BeforeEach
    void policy() throws IOException {
        desk = Desk.in(folder);
        policy = Files.writeString(folder.resolve("net.yaml"), POLICY).toString();
        Files.writeString(folder.resolve("home/.npmrc"), "registry=https://packages.test:4873/npm/\n");
        desk = desk.with("npm_config_registry", "").with("npm_config_userconfig", "");
    }

    private Desk.Result check(String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("check-net", "--policy", policy));
        all.addAll(List.of(words));
        return desk.product(all);
    }

    @Test
    void an_allowed_request_is_told_with_its_line_and_whom_it_reaches() throws IOException, InterruptedException {
        var result = check("--host", "api.test", "--path", "/v1/items");

        assertThat(result.exit()).isZero();
        assertThat(result.out())
                .isEqualTo("allowed: http.request GET api.test:443/v1/items\n"
                        + "  rule      net.hosts[0] (" + policy + ":7:7)\n"
                        + "  budget    received 1GiB/hour (net.budget, " + policy + ":5:3)\n"
                        + "  upstream  api.test:443 by way of http://proxy.test:3128, at a public address\n"
                        + "  inspect   yes, TLS is opened\n"
                        + "  trust     only /etc/corp.pem\n");
    }

    @Test
    void each_budget_that_a_request_draws_on_is_told_with_its_place() throws IOException, InterruptedException {
        assertThat(check("--host", "few.test").out())
                .contains("  budget    received 1GiB/hour (net.budget, " + policy + ":5:3)\n"
                        + "  budget    requests 5/day, sent 2MiB/run (net.hosts[3].budget, ")
                .contains(policy + ":10:");
        assertThat(check("--host", "few.test", "--json").out())
                .contains(
                        "\"budgets\":[\"received 1GiB/hour (net.budget, ",
                        "\"requests 5/day, sent 2MiB/run (net.hosts[3]");
    }

    @Test
    void a_denied_request_is_told_with_the_line_that_would_allow_it() throws IOException, InterruptedException {
        var near = check("--host", "api.test", "--method", "POST", "--path", "/v1/items");
        var far = check("--host", "other.test");

        assertThat(near.exit()).isEqualTo(4);
        assertThat(near.err()).contains("would be denied", policy + ":7:7", "methods: [POST]", "/v1/items");
        assertThat(far.exit()).isEqualTo(4);
        assertThat(far.err()).contains("net:", "hosts:", "{host: other.test, methods: [GET], paths: [/]}");
    }

    @Test
    void aliases_passing_through_addresses_and_tcp_are_told() throws IOException, InterruptedException {
        assertThat(check("--host", "forge.internal").out()).contains("  upstream  git.test:443");
        assertThat(check("--host", "pinned.test").out())
                .contains("at one of 10.0.0.5", "  inspect   no, TLS passes unopened");
        assertThat(check("--host", "db.test", "--port", "5432", "--tcp").out())
                .startsWith("allowed: net.connect db.test:5432");
        assertThat(check("--host", "db.test", "--port", "5432").exit()).isEqualTo(4);
    }

    @Test
    void a_registry_is_told_with_the_file_that_names_it() throws IOException, InterruptedException {
        var valid = desk.product("policy", "validate", policy);

        assertThat(valid.out())
                .contains("net.registries[0]: npm packages.test:4873 (" + folder.resolve("home/.npmrc") + ")");
        assertThat(check("--host", "packages.test", "--port", "4873", "--path", "/left-pad")
                        .exit())
                .isZero();
        assertThat(check("--host", "packages.test", "--port", "4873", "--method", "PUT", "--path", "/left-pad")
                        .exit())
                .isEqualTo(4);
    }

    @Test
    void a_registry_that_is_not_to_be_found_is_a_mistake_with_a_way_out() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("net.yaml"), "tool: net\nnet:\n  registries: [npm, cargo]\n");
        var result = desk.with("CARGO_HOME", "").product("policy", "validate", policy);

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out())
                .contains(policy + ":3:21: net.registries[1]: no configuration of cargo in ")
                .contains("name its hosts in net.hosts instead, with methods: [GET, HEAD]");
    }

    @Test
    void json_says_the_same() throws IOException, InterruptedException, JsonSyntaxException {
        var allowed = check("--json", "--host", "pinned.test");
        var denied = check("--json", "--host", "other.test");

        assertThat(allowed.json().write())
                .contains(
                        "\"decision\":\"allow\"",
                        "\"upstream\":\"pinned.test:443\"",
                        "\"inspect\":false",
                        "\"addresses\":[\"10.0.0.5\"]",
                        "\"upstream_proxy\":\"http://proxy.test:3128\"");
        assertThat(denied.exit()).isEqualTo(4);
        assertThat(denied.json().write()).contains("\"decision\":\"deny\"", "would_allow");
    }
}
