package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonNull;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.judge.JudgeGround;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.session.IsolationWish;
import dev.cagewright.supervisor.session.PolicyInForce;
import dev.cagewright.supervisor.session.Session;
import dev.cagewright.supervisor.session.UnavailableLogException;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// A server that does what a test wants, in a thread of this process; its session, its log and its policy are real.
/// What
/// it does not care for is answered as a server of 2025-11-25 does.
public final class Puppet implements GuestProgram, AutoCloseable {
    private final String name;
    private final Session session;
    private final ClientAsker asker = new ClientAsker();
    private final PolicyInForce policy;
    private final Play play;
    private final List<JsonObject> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger runs = new AtomicInteger();

    /// What a server does.
    @FunctionalInterface
    public interface Play {
        /// Hears a message, and may say something.
        ///
        /// @return no, if it does not care for it
        boolean hears(String method, JsonObject message, Stage stage) throws IOException;
    }

    /// Where it acts.
    public static final class Stage {
        private final Streams.Pipes pipes;
        private final CountDownLatch over;
        private final int run;

        private Stage(Streams.Pipes pipes, CountDownLatch over, int run) {
            this.pipes = pipes;
            this.over = over;
            this.run = run;
        }

        /// Which run of it this is, from 1.
        public int run() {
            return run;
        }

        /// With `'` for `"`, and an end of the line.
        public boolean say(String line) throws IOException {
            return write(line.replace('\'', '"') + "\n");
        }

        public boolean write(String text) throws IOException {
            synchronized (over) {
                pipes.out().write(text.getBytes(StandardCharsets.UTF_8));
                pipes.out().flush();
            }
            return true;
        }

        public boolean complain(String text) throws IOException {
            pipes.err().write(text.getBytes(StandardCharsets.UTF_8));
            return true;
        }

        public boolean result(JsonObject request, String result) throws IOException {
            return say("{'jsonrpc':'2.0','id':" + id(request) + ",'result':" + result + "}");
        }

        public boolean die() {
            over.countDown();
            return true;
        }
    }

    /// The id of a request, as JSON.
    public static String id(JsonObject request) {
        return request.member("id").map(JsonValue::write).orElse("null");
    }

    public Puppet(Path folder, String name, Play play) {
        this(folder, name, "tool: puppet\n", play);
    }

    /// @param text of its policy
    public Puppet(Path folder, String name, String text, Play play) {
        this.name = name;
        this.play = play;
        try {
            var own = Files.createTempDirectory(folder, "puppet");
            var file = Files.writeString(own.resolve("policy.yaml"), text);
            var none = own.resolve("none");
            var files = new PolicyFiles(none, none, none);
            policy = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE);
            var folders = new StateFolders(own.resolve("config"), own.resolve("state"));
            var place = new Session.Place(
                    Files.createDirectories(own.resolve("state/s")),
                    new OwnFiles(folders, own.resolve("audit.jsonl"), policy.files()));
            session = Session.open(new SessionId("abcdefghij"), policy.terms(), place, policy::reasons, List.of(asker));
        } catch (IOException | PolicySyntaxException | BadPolicyException | UnavailableLogException e) {
            throw new IllegalStateException(e);
        }
    }

    /// All that it was told and asked, in order.
    public List<JsonObject> heard() {
        return List.copyOf(heard);
    }

    /// What it heard of that method.
    public List<JsonObject> heard(String method) {
        return heard.stream()
                .filter(message -> message.text("method").filter(method::equals).isPresent())
                .toList();
    }

    public int runs() {
        return runs.get();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<ClientAsker> asker() {
        return Optional.of(asker);
    }

    @Override
    public End run(Streams.Pipes pipes, Consumer<Standing> stands) throws InterruptedException {
        var over = new CountDownLatch(1);
        var stage = new Stage(pipes, over, runs.incrementAndGet());
        stands.accept(new Standing(
                session, policy, JudgeGround.of(new GuestPath("/workspace")), List.of(), _ -> over.countDown()));
        Thread.ofVirtual().start(() -> {
            try (var in = new BufferedReader(new InputStreamReader(pipes.in(), StandardCharsets.UTF_8))) {
                for (var line = in.readLine(); line != null; line = in.readLine()) {
                    hear((JsonObject) Json.parse(line), stage);
                }
            } catch (IOException | JsonSyntaxException _) {
                over.countDown();
            }
            over.countDown();
        });
        over.await();
        return new End("ended with exit code 3", Hope.AGAIN);
    }

    private void hear(JsonObject message, Stage stage) throws IOException {
        heard.add(message);
        var method = message.text("method").orElse("");
        if (play.hears(method, message, stage)) {
            return;
        }
        if (method.equals("initialize")) {
            stage.result(
                    message,
                    "{'protocolVersion':'2025-11-25','capabilities':{'tools':{},'prompts':{},'resources':{},"
                            + "'completions':{}},'serverInfo':{'name':'puppet','version':'7'}}");
        } else if (message.member("id").isPresent() && !method.isEmpty()) {
            stage.say(
                    "{'jsonrpc':'2.0','id':" + id(message) + ",'error':{'code':-32601,'message':'Method not found'}}");
        }
    }

    /// A member of a member of a message, as JSON.
    public static String inside(JsonObject message, String... names) {
        JsonValue value = message;
        for (String member : names) {
            value = value instanceof JsonObject object ? object.member(member).orElse(new JsonNull()) : new JsonNull();
        }
        return value.write();
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
