package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The clients of `clients/python` and `clients/ts` by their own tests, on a stage of the packaged product: a cage
/// `web`
/// that is up, and an origin that it may reach.
class ClientsTest {
    private static final Path CLIENTS =
            Path.of("..", "clients").toAbsolutePath().normalize();

    private static final String TYPES = "typescript@5.9.3";
    private static final String NODE_TYPES = "@types/node@20.19.24";

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway") // set before each test
    private HttpServer origin;

    @SuppressWarnings("NullAway") // set before each test
    private Desk desk;

    @BeforeEach
    void make() throws IOException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        origin.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        origin.createContext("/", ClientsTest::answer);
        origin.start();
        var plain = Desk.in(folder.toRealPath());
        var variables = new LinkedHashMap<>(plain.variables());
        variables.put("CAGEWRIGHT_TEST_COMMAND", Desk.PRODUCT.toString());
        variables.put("CAGEWRIGHT_TEST_ACT", plain.act());
        variables.put("CAGEWRIGHT_TEST_ORIGIN", "" + origin.getAddress().getPort());
        variables.put("CAGEWRIGHT_TEST_WORKSPACE", plain.workspace().toString());
        variables.put("CAGEWRIGHT_TEST_POLICY", plain.write("served.yaml", policy("served", plain.act())));
        variables.put("PYTHONPATH", CLIENTS.resolve("python/src").toString());
        variables.put("PYTHONDONTWRITEBYTECODE", "1");
        desk = new Desk(plain.root(), variables);
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        desk.product("supervisor", "stop");
        origin.stop(0);
    }

    /// What was asked, in the answer's body.
    private static void answer(HttpExchange exchange) throws IOException {
        int length = exchange.getRequestBody().readAllBytes().length;
        var word = exchange.getRequestHeaders().getFirst("X-Word");
        var said = (exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + word + " " + length)
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(200, said.length);
        try (var out = exchange.getResponseBody()) {
            out.write(said);
        }
    }

    private String policy(String tool, String act) {
        return """
            tool: TOOL
            min_isolation: namespaces
            fs: {mounts: [{path: /workspace, mode: rw}]}
            net:
              hosts:
                - {host: origin.test, port: PORT, methods: [GET, POST], paths: ["/ok/**"], addresses: [127.0.0.1]}
            exec: {allowlist: [cat, curl, id, ls, no-such-program, od, sleep, tr, ACT]}
            """.replace("TOOL", tool)
                .replace("PORT", "" + origin.getAddress().getPort())
                .replace("ACT", act);
    }

    private void up() throws IOException, InterruptedException {
        assertThat(desk.product("init", "web", "--workspace", desk.workspace().toString())
                        .exit())
                .isZero();
        desk.write("config/cagewright/cages/web/policy.yaml", policy("web", desk.act()));
        var up = desk.product("up", "web");
        assertThat(up.exit()).as(up.toString()).isZero();
    }

    private Desk.Result in(String client, String... words) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", client));
        all.addAll(List.of(words));
        return desk.host(all);
    }

    @Test
    void the_python_client_drives_a_real_supervisor() throws IOException, InterruptedException {
        up();

        var tested = in(CLIENTS.resolve("python/tests").toString(), "python3", "-m", "unittest", "-v");

        assertThat(tested.exit()).as(tested.toString()).isZero();
        assertThat(tested.err()).contains("\nOK\n").doesNotContain("skipped");
    }

    @Test
    void the_node_client_drives_a_real_supervisor() throws IOException, InterruptedException {
        up();

        var tested = in(CLIENTS.resolve("ts").toString(), "node", "--test", "--test-concurrency=1", "tests/");

        assertThat(tested.exit()).as(tested.toString()).isZero();
        assertThat(tested.out()).contains("# fail 0", "# skipped 0");
    }

    /// The declarations, the sources and the tests, by the compiler of TypeScript, from npm.
    @Test
    void the_types_of_the_node_client_hold() throws IOException, InterruptedException {
        var place = folder.resolve("ts").toString();
        assertThat(desk.host(List.of("cp", "-r", CLIENTS.resolve("ts").toString(), place))
                        .exit())
                .isZero();
        var install = List.of("npm", "install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts");
        var npm = new ArrayList<>(install);
        npm.addAll(List.of(TYPES, NODE_TYPES));
        assertThat(in(place, npm.toArray(String[]::new)).exit()).isZero();

        var checked = in(place, "node_modules/.bin/tsc", "-p", ".");

        assertThat(checked.exit()).as(checked.toString()).isZero();
        Files.writeString(
                Path.of(place, "tests/wrong.ts"),
                "import { Supervisor } from 'cagewright';\nnew Supervisor().cage('web').run('ls -l');\n");
        assertThat(in(place, "node_modules/.bin/tsc", "-p", ".").out()).contains("wrong.ts(2,");
    }
}
