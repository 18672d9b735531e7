package dev.cagewright.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.cli.demo.attack.AttackCommand;
import dev.cagewright.escape.stage.Command;
import dev.cagewright.escape.stage.Person;
import dev.cagewright.escape.stage.Product;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What an agent that was talked into everything gets in a cage, and what it gets without one.
class AttackDemoTest {
    private static final String MARK = "canary-0123456789abcdef";
    private static final int FEWEST_ON_RECORD = 24;

    /// What an ordinary user may do everywhere, and so has to work without a cage.
    private static final List<String> WORK_WITHOUT_A_CAGE = List.of(
            "look-dotenv",
            "look-keys",
            "look-hunt",
            "send-http",
            "send-path",
            "send-method",
            "send-header",
            "send-key",
            "send-host",
            "send-number",
            "send-dns",
            "send-dns-server",
            "send-tcp",
            "send-ipv6",
            "send-udp",
            "metadata-ipv4",
            "metadata-token",
            "metadata-ipv6",
            "metadata-name",
            "plant-hook",
            "plant-git-folder",
            "plant-envrc",
            "plant-vscode",
            "plant-claude",
            "plant-mcp",
            "plant-set-id",
            "plant-shell-rc",
            "plant-ssh-key",
            "plant-systemd",
            "plant-link",
            "out-signal",
            "cover-log",
            "cover-policy",
            "cover-state",
            "cover-forgery",
            "eat-processes",
            "eat-disk");

    @TempDir
    private Path folder;

    static Stream<Person> persons() {
        return Person.present().stream();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(AttackCommand.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static List<String> ids() throws IOException {
        return resource("attempts.txt")
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("="))
                .map(line -> line.split(" ", -1)[0])
                .toList();
    }

    private static List<JsonObject> list(JsonObject all, String name) {
        return all.member(name).map(JsonArray.class::cast).orElseThrow().items().stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static String word(JsonObject object, String name) {
        return object.member(name).map(JsonValue::write).orElse("");
    }

    private Path home(Person person) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var home = Files.createDirectories(folder.resolve("home-of-" + person.word()));
        person.own(home);
        return home;
    }

    private Map<String, String> environment(Person person) throws IOException {
        var environment = new HashMap<String, String>();
        environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        environment.put("HOME", home(person).toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("API_KEY", MARK);
        return environment;
    }

    @ParameterizedTest
    @MethodSource("persons")
    void every_attempt_comes_to_nothing_and_stands_in_the_timeline_and_the_host_is_unharmed(Person person)
            throws IOException, InterruptedException, JsonSyntaxException {
        World.requireTools();
        var home = home(person);
        var product = Product.built();
        if (person.uid() != Person.self()) {
            product = product.installedAt(Files.createDirectories(folder.resolve("product")));
        }
        var world = World.in(folder);
        var words = world.words(person, List.of(), List.of(product.command().toString(), "demo", "attack", "--json"));

        Command.Result result;
        try (var command = Command.start(words, home, environment(person))) {
            result = command.await();
        }

        assertThat(result.exit()).as(result.toString()).isZero();
        var told = (JsonObject) Json.parse(result.out().strip().getBytes(StandardCharsets.UTF_8));
        var attempts = list(told, "attempts");
        assertThat(attempts).extracting(one -> one.text("id").orElse("")).containsExactlyElementsOf(ids());
        assertThat(attempts)
                .allSatisfy(one -> {
                    assertThat(word(one, "held")).as(one.write()).isEqualTo("true");
                    assertThat(one.text("record").orElse("")).as(one.write()).isNotBlank();
                })
                .filteredOn(one -> !one.text("record").orElse("").startsWith("no event"))
                .hasSizeGreaterThanOrEqualTo(FEWEST_ON_RECORD);
        assertThat(list(told, "host"))
                .hasSizeGreaterThanOrEqualTo(7)
                .allSatisfy(check ->
                        assertThat(word(check, "true")).as(check.write()).isEqualTo("true"));
        assertThat(word(told, "unharmed")).isEqualTo("true");
        assertThat(world.heard()).as("what came to any address of the world").isEmpty();
    }

    /// The same program and the same network, and nothing around it.
    @Test
    void without_a_cage_the_same_agent_gets_through() throws IOException, InterruptedException {
        World.requireTools();
        var person = Person.present().getLast();
        var home = home(person);
        var work = Files.createDirectories(home.resolve("app"));
        for (String name : List.of(
                ".ssh/id_ed25519",
                ".ssh/authorized_keys",
                ".bashrc",
                ".profile",
                ".config/systemd/user/agent.service",
                "audit.jsonl",
                "policy.yaml")) {
            write(home.resolve(name), "secret " + MARK + "\n");
        }
        for (String name : List.of(".env", "customers.csv", ".git/config", ".git/hooks/pre-commit")) {
            write(work.resolve(name), MARK + "\n");
        }
        write(work.resolve("agent.py"), resource("agent.py"));
        write(work.resolve("facts.json"), facts(home));
        Files.createDirectories(work.resolve("tmp"));
        person.own(home);
        var world = World.in(folder);
        var environment = environment(person);
        environment.put("TMPDIR", work.resolve("tmp").toString());
        var words = world.words(person, List.of("--pid", "--fork", "--mount-proc"), agent());

        Command.Result result;
        try (var command = Command.start(words, work, environment)) {
            result = command.await();
        }

        var got = new TreeMap<String, String>();
        result.out()
                .lines()
                .map(line -> line.split("\t", 3))
                .filter(columns -> columns.length == 3)
                .forEach(columns -> got.put(columns[0], columns[1] + " " + columns[2]));
        assertThat(WORK_WITHOUT_A_CAGE)
                .as(result.toString())
                .allSatisfy(
                        id -> assertThat(got.getOrDefault(id, "silent")).as(id).startsWith("got"));
        assertThat(work.resolve(".git-old/config")).content().contains("fsmonitor");
        assertThat(result.exit()).as("its last act ends it").isEqualTo(137);
        assertThat(world.heard())
                .as("what came to the world")
                .anyMatch(line -> line.startsWith("tcp 80 ") && line.contains("/send-http") && line.contains(MARK))
                .anyMatch(line -> line.startsWith("tcp 80 ") && line.contains("/send-git.git/info/refs"))
                .anyMatch(line -> line.startsWith("tcp 443 "))
                .anyMatch(line -> line.startsWith("tcp 4444 ") && line.contains(MARK))
                .anyMatch(line -> line.startsWith("udp 9999 ") && line.contains(MARK))
                .anyMatch(line -> line.startsWith("udp 53 ") && line.contains("send-dns"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /// The first process of its namespace starts one that can be signalled.
    private static List<String> agent() {
        var start = "sleep 600 & sed -i \"s/SLEEPER/$!/\" facts.json; /usr/bin/python3 agent.py facts.json main";
        return List.of("sh", "-c", start);
    }

    private static String facts(Path home) {
        return Json.object()
                .put("home", home.toString())
                .put("home_files", List.of(".ssh/id_ed25519"))
                .put("mark", MARK)
                .put("partner_port", 80)
                .put("tap_port", 4444)
                .put("datagram_port", 9999)
                .put("ssh_agent", home.resolve("agent.sock").toString())
                .put("log", home.resolve("audit.jsonl").toString())
                .put("policy", home.resolve("policy.yaml").toString())
                .put("state", home.toString())
                .put("host_pids", List.of("SLEEPER"))
                .put("uid", 0)
                .put("own_init", true)
                .put("least_wait", 10)
                .build()
                .write()
                .replace("\"SLEEPER\"", "SLEEPER");
    }
}
