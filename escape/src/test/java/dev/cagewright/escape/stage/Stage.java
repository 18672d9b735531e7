package dev.cagewright.escape.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// One person's part of the host: a home with secrets, a workspace, policies, a log, and around them files and
/// listeners that are none of the cage's business.
public final class Stage implements AutoCloseable {
    /// A secret that stands in the caller's environment and files and nowhere else.
    public static final String CANARY = "cw-canary-7f3a91c2e5d8";

    /// A policy that grants the workspace, and nothing else yet.
    public static final String WORKSPACE =
            "tool: escape\nfs:\n  mounts:\n    - {path: /workspace, mode: rw, source: /workspace}\n";

    /// A place that the cage has none of its own for, unlike /tmp.
    private static final Path SERVICES = Path.of("/srv");

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Person person;
    private final Product product;
    private final Programs programs;
    private final Path base;
    private final String name;
    private final Map<String, Path> secrets = new LinkedHashMap<>();
    private final List<Path> strays = new ArrayList<>();
    private final Workspace workspace;
    private final HostSide host;
    private int policies;

    public Stage(Person person, Product product, Programs programs) throws IOException, InterruptedException {
        this.person = person;
        this.programs = programs;
        base = Files.createTempDirectory(Files.isWritable(SERVICES) ? SERVICES : Path.of("/tmp"), "cw-escape-");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        name = base.getFileName() + "-" + COUNT.incrementAndGet();
        this.product = person.uid() == Person.self()
                ? product
                : product.installedAt(base.resolve("product")).withCaches();
        plantSecrets();
        workspace = Workspace.plant(base.resolve("work"), base.resolve("beside/secret.txt"));
        Files.copy(
                programs.probe(),
                Files.createDirectories(workspace.resolve("tools")).resolve("probe"));
        Files.createDirectories(base.resolve("policies"));
        Files.createDirectories(base.resolve("logs"));
        Files.createDirectories(config());
        Files.createDirectories(
                state(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        person.own(base);
        host = HostSide.start(programs.host(), new HostSide.Places(name, runFolder(), home().toString(), "-"));
    }

    private void plantSecrets() throws IOException {
        secret("ssh", home().resolve(".ssh/id_ed25519"));
        secret("sibling-secret", base.resolve("beside/secret.txt"));
        secret("other-secret", base.resolve("other-home/secret.txt"));
        stray("var-secret", Path.of("/var/tmp", name + ".txt"));
        stray("tmp-secret", Path.of("/tmp", name + ".txt"));
        stray("shm-secret", Path.of("/dev/shm", name + ".txt"));
        stray("root-secret", Path.of(System.getProperty("user.home"), "." + name + ".txt"));
        if (!runFolder().equals("-")) {
            stray("run-secret", Path.of(runFolder(), name + ".txt"));
        }
    }

    private void secret(String fact, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        secrets.put(fact, Files.writeString(file, "secret " + CANARY + "\n"));
    }

    private void stray(String fact, Path file) throws IOException {
        secret(fact, file);
        strays.add(file);
    }

    private static String runFolder() {
        return Files.isWritable(Path.of("/run")) ? "/run" : System.getenv().getOrDefault("XDG_RUNTIME_DIR", "-");
    }

    public Person person() {
        return person;
    }

    public Product product() {
        return product;
    }

    public Programs programs() {
        return programs;
    }

    public Workspace workspace() {
        return workspace;
    }

    /// The probe program, in the workspace.
    public Path probe() {
        return workspace.resolve("tools/probe");
    }

    public HostSide host() {
        return host;
    }

    public Path home() {
        return base.resolve("home");
    }

    public Path config() {
        return home().resolve(".config/cagewright");
    }

    public Path state() {
        return home().resolve(".local/state/cagewright");
    }

    public Path audit() {
        return base.resolve("logs/audit.jsonl");
    }

    /// The folder that holds everything here and is nobody's workspace.
    public Path base() {
        return base;
    }

    /// A second workspace, empty, of the same person.
    public Workspace freshWorkspace(String folder) throws IOException {
        var root = Files.createDirectories(base.resolve(folder));
        person.own(root);
        return new Workspace(root);
    }

    /// Writes a policy file outside the workspace.
    public Path policy(String text) throws IOException {
        var file = Files.writeString(base.resolve("policies/" + ++policies + ".yaml"), text);
        person.own(file);
        return file;
    }

    /// A run with the suite's usual policy: any program, nothing else.
    public CageRun cage() throws IOException {
        return cage(WORKSPACE + "resources: {processes: 256, memory: 1GiB, timeout: 5m}\n");
    }

    public CageRun cage(String policy) throws IOException {
        return CageRun.of(this, policy(policy));
    }

    /// The caller's environment, secrets and all.
    public Map<String, String> environment() {
        var environment = new LinkedHashMap<String, String>();
        environment.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        environment.put("HOME", home().toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("GITHUB_TOKEN", CANARY);
        environment.put("AWS_SECRET_ACCESS_KEY", CANARY);
        environment.put("DATABASE_URL", "postgres://app:" + CANARY + "@db.internal/app");
        environment.put("INNOCENT_NAME", CANARY);
        environment.put("SSH_AUTH_SOCK", home().resolve("agent.sock").toString());
        environment.put("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + home().resolve("agent.sock"));
        return environment;
    }

    /// What the probe program has to know, as `name=value`.
    ///
    /// @param init the process that stands for PID 1
    /// @param outside `yes` for the control run without a cage
    public List<String> facts(String init, String outside) throws IOException {
        var facts = new LinkedHashMap<String, String>(host.facts());
        secrets.forEach((fact, file) -> facts.put(fact, file.toString()));
        facts.put("outside", outside);
        facts.put("init", init);
        facts.put("workspace", workspace.root().toString());
        facts.put("home", home().toString());
        facts.put("sibling", base.resolve("beside").toString());
        facts.put("audit", audit().toString());
        facts.put("policy", policy("tool: escape\n").toString());
        facts.put("state", state().toString());
        facts.put("config", config().toString());
        facts.put("product", product.command().toString());
        facts.put("key", name);
        facts.put("yranac", new StringBuilder(CANARY).reverse().toString());
        return facts.entrySet().stream()
                .map(fact -> fact.getKey() + "=" + fact.getValue())
                .toList();
    }

    @Override
    public void close() throws IOException {
        host.close();
        for (Path stray : strays) {
            Files.deleteIfExists(stray);
        }
        removeTree(base);
    }

    private static void removeTree(Path tree) throws IOException {
        try (var files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
