package dev.cagewright.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A client logs in in a cage of the packaged product, calls an API, renews its tokens and is logged out: it has decoys
/// all the time, and nothing that the product or the cage writes has a token.
class LoginTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private Issuer issuer;

    @SuppressWarnings("NullAway") // set before each test
    private Path home;

    @BeforeEach
    void open() throws IOException, GeneralSecurityException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "/usr/bin/python3 is not on this machine");
        issuer = new Issuer();
        home = Files.createDirectory(folder.resolve("agent-home"));
        Files.createDirectory(folder.resolve("workspace"));
        policy("policy", home);
    }

    private void policy(String name, Path cageHome) throws IOException, GeneralSecurityException {
        Files.writeString(folder.resolve(name + ".yaml"), """
                tool: client
                fs:
                  mounts:
                    - {path: /workspace, mode: rw}
                    - {path: /home/cage, mode: rw, source: HOME}
                net:
                  hosts:
                    - host: auth.test
                      ports: [AUTH]
                      paths: [/device, /oauth/token, /oauth/revoke, /loose/token]
                      addresses: [127.0.0.1]
                      upstream_ca: ROOTS
                    - {host: api.test, ports: [API], addresses: [127.0.0.1], upstream_ca: ROOTS}
                credentials:
                  - name: client
                    use_with: [api.test]
                    login: {host: auth.test, path: /oauth/token, revoke: /oauth/revoke}
                capture: {har: true, body: 1MiB}
                """.replace("AUTH", "" + issuer.authPort())
                .replace("API", "" + issuer.apiPort())
                .replace("HOME", cageHome.toString())
                .replace("ROOTS", issuer.roots(folder).toString()));
    }

    @AfterEach
    void close() {
        issuer.close();
    }

    /// What a run of the client said: by word, the status and the answer.
    private record Said(int exit, List<String> out, String err) {
        int status(int line) throws JsonSyntaxException {
            return Integer.parseInt(row(line).items().get(1).write());
        }

        JsonObject answer(int line) throws JsonSyntaxException {
            return (JsonObject) row(line).items().get(2);
        }

        String member(int line, String name) throws JsonSyntaxException {
            return answer(line).member(name).orElseThrow().write().replace("\"", "");
        }

        private JsonArray row(int line) throws JsonSyntaxException {
            return (JsonArray) Json.parse(out.get(line));
        }
    }

    private Process start(String policy, String... words) throws IOException {
        try (InputStream client = LoginTest.class.getResourceAsStream("client.py")) {
            Files.write(
                    folder.resolve("workspace").resolve("client.py"),
                    Objects.requireNonNull(client).readAllBytes());
        }
        var line = new ArrayList<>(List.of(
                Caged.PRODUCT.toString(),
                "run",
                "--quiet",
                "--policy",
                folder.resolve(policy + ".yaml").toString(),
                "--",
                "python3",
                "client.py",
                "auth.test:" + issuer.authPort(),
                "api.test:" + issuer.apiPort()));
        line.addAll(List.of(words));
        return begun(line);
    }

    private Process begun(List<String> line) throws IOException {
        var builder = new ProcessBuilder(line)
                .directory(folder.resolve("workspace").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment()
                .putAll(Map.of(
                        "XDG_STATE_HOME", folder.resolve("state").toString(),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        return builder.start();
    }

    private Said ended(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        var out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        return new Said(exit, out.lines().toList(), Files.readString(folder.resolve("err")));
    }

    private Said run(String... words) throws IOException, InterruptedException {
        var said = ended(start("policy", words));
        assertThat(said.exit()).as(said.err() + said.out()).isZero();
        return said;
    }

    private Said product(String... words) throws IOException, InterruptedException {
        var line = new ArrayList<>(List.of(Caged.PRODUCT.toString()));
        line.addAll(List.of(words));
        return ended(begun(line));
    }

    @Test
    void I2_a_client_logs_in_by_device_code_and_never_has_its_tokens()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        var said = run("device", "call", "tokens");

        assertThat(said.status(0)).as(said.out().toString()).isEqualTo(200);
        assertThat(said.status(1)).as(said.out().toString()).isEqualTo(200);
        assertThat(issuer.calls).containsExactly("Bearer " + issuer.tokens.getFirst());
        assertThat(said.member(2, "access_token"))
                .hasSize(issuer.tokens.getFirst().length())
                .isNotEqualTo(issuer.tokens.getFirst());
        assertNowhere(said);
    }

    @Test
    void the_claims_of_an_identity_stay_readable_and_its_signature_is_worthless()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        var said = run("device");

        var real = issuer.tokens.get(2).split("\\.", -1);
        var decoy = said.member(0, "id_token").split("\\.", -1);
        assertThat(decoy).hasSize(3);
        assertThat(new String(Base64.getUrlDecoder().decode(decoy[1]), StandardCharsets.UTF_8))
                .contains("ada@example.com", "\"plan\":\"pro\"");
        assertThat(decoy[2]).hasSize(real[2].length()).isNotEqualTo(real[2]);
    }

    @Test
    void a_client_logs_in_with_a_code_that_is_typed()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        var process = start("policy", "code", "call");
        var reader = process.inputReader(StandardCharsets.UTF_8);
        var challenge = ((JsonArray) Json.parse(reader.readLine()))
                .items()
                .get(1)
                .write()
                .replace("\"", "");
        try (var typed = process.outputWriter(StandardCharsets.UTF_8)) {
            typed.write(issuer.agree(challenge) + "\n");
        }
        var rest = reader.lines().toList();
        var said = new Said(process.waitFor(), rest, Files.readString(folder.resolve("err")));

        assertThat(said.status(0)).as(rest + said.err()).isEqualTo(200);
        assertThat(said.status(1)).isEqualTo(200);
        assertNowhere(said);
    }

    @Test
    void a_second_run_is_still_logged_in_and_renews_its_tokens_until_it_is_logged_out()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        run("device");
        var second = run("call", "renew", "call", "tokens");

        assertThat(List.of(second.status(0), second.status(1), second.status(2)))
                .as(second.out().toString())
                .containsExactly(200, 200, 200);
        assertThat(issuer.tokens).hasSize(6);
        assertThat(issuer.calls).containsExactly("Bearer " + issuer.tokens.get(0), "Bearer " + issuer.tokens.get(3));
        assertNowhere(second);

        var third = run("renew", "call");
        assertThat(List.of(third.status(0), third.status(1))).containsExactly(200, 200);

        var listed = product("secret", "list");
        assertThat(listed.out().get(1)).contains("client", "log-in", "api.test", "of the home agent-home-");
        assertThat(product("logout", "client").err()).contains("logged out client in the home agent-home-");
        assertThat(product("logout", "client").err()).contains("no such log-in is kept");

        var fourth = run("call", "renew");
        assertThat(fourth.status(0)).isEqualTo(401);
        assertThat(fourth.member(1, "error")).isEqualTo("invalid_grant");
        assertNowhere(fourth);
    }

    @Test
    void a_token_is_given_back_and_goes_nowhere_else()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        var said = run(
                "device",
                "call=auth.test:" + issuer.authPort(),
                "call-refresh",
                "at-api",
                "device-body",
                "renew=/loose/token",
                "revoke",
                "renew");

        for (int i : List.of(2, 3, 4, 5)) {
            assertThat(said.status(i)).as(said.out().get(i)).isEqualTo(403);
            assertThat(said.out().get(i))
                    .contains("urn:cagewright:problem:credential", "the decoy of the secret client");
        }
        assertThat(said.member(6, "revoked")).isEqualTo("true");
        assertThat(said.member(7, "error")).isEqualTo("invalid_grant");
        assertThat(issuer.calls).containsOnly("null");
        var events = product("audit", "events", "--json");
        assertThat(String.join("\n", events.out())).contains("login.kept", "decoys.place", "secret.decoy_elsewhere");
    }

    @Test
    void a_decoy_that_is_stolen_is_worth_nothing_in_another_cage()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        var stolen = run("device").member(0, "access_token");
        var other = Files.createDirectory(folder.resolve("other-home"));
        policy("other", other);
        Files.writeString(other.resolve(".client.json"), "{\"access_token\":\"" + stolen + "\"}");

        var said = ended(start("other", "call"));

        assertThat(said.status(0)).as(said.err()).isEqualTo(401);
        assertThat(issuer.calls).containsExactly("Bearer " + stolen);
        assertThat(run("call").status(0)).isEqualTo(200);
    }

    @Test
    void an_answer_that_is_packed_is_read_or_refused()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        issuer.coding = "gzip";
        var read = run("device", "call");
        assertThat(List.of(read.status(0), read.status(1))).containsExactly(200, 200);
        assertNowhere(read);

        issuer.coding = "zstd";
        var refused = run("renew", "device");
        for (int i : List.of(0, 1)) {
            assertThat(refused.status(i)).isEqualTo(403);
            assertThat(refused.member(i, "detail")).contains("in a coding that cannot be read here");
        }
        assertNowhere(refused);
    }

    @Test
    void an_answer_with_tokens_in_other_places_is_refused()
            throws IOException, InterruptedException, JsonSyntaxException, GeneralSecurityException {
        issuer.more = ",\"session_token\":\"st-0123456789abcdef0123456789\"";
        var named = run("device");
        assertThat(named.status(0)).isEqualTo(403);
        assertThat(named.member(0, "detail")).contains("has a token where the policy names none (session_token)");

        issuer.more = ",\"account\":{\"access_token\":\"0123456789abcdef0123456789\"}";
        var nested = run("device");
        assertThat(nested.status(0)).as(nested.out().toString()).isEqualTo(403);

        issuer.more = ",\"account\":{\"uuid\":\"0123\"}";
        var passed = run("device", "call");
        assertThat(List.of(passed.status(0), passed.status(1))).containsExactly(200, 200);
        assertNowhere(passed);
    }

    /// A token, or a part of one that no decoy has in common with it.
    private void assertNowhere(Said said) throws IOException {
        assertThat(issuer.tokens).isNotEmpty();
        var all = new StringBuilder(String.join("\n", said.out())).append(said.err());
        for (Path place : List.of(folder.resolve("state"), home, folder.resolve("workspace"))) {
            try (var files = Files.walk(place)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
                }
            }
        }
        for (String token : issuer.tokens) {
            assertThat(all).doesNotContain(token.substring(token.length() - 24));
        }
    }
}
