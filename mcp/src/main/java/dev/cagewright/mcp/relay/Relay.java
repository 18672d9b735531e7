package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Silent;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer;
import dev.cagewright.mcp.rpc.RpcError;
import dev.cagewright.mcp.rpc.RpcException;
import dev.cagewright.supervisor.receipt.Product;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/// Servers in cages as one offer. One server alone keeps its names, its instructions and what it says of itself; of
/// several, each thing carries its server's name. Servers start at once, and what is asked waits for them within
/// bounds.
/// Whoever makes it closes it, and the servers with it.
public final class Relay implements Offer, AutoCloseable {
    /// What one server of several has to be there when a list is put together.
    private static final Duration GATHERED = Duration.ofSeconds(10);

    private final List<Member> members;
    private final Naming naming;
    private final Voice voice;
    private final Duration within;
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    private final Map<Kind, Built> built = new EnumMap<>(Kind.class);
    private final Set<String> reported = new HashSet<>();

    /// A directory, and what it was put together from.
    private record Built(long version, Directory directory) {}

    /// What servers are under.
    ///
    /// @param verdicts of a server by its name, in the run that it is in
    /// @param patience with a server by its name
    public record House(
            BiFunction<String, Standing, Verdicts> verdicts, Voice voice, Function<String, Patience> patience) {}

    private Relay(List<? extends GuestProgram> programs, Naming naming, House house) {
        this.naming = naming;
        this.voice = house.voice();
        this.within = naming == Naming.OWN
                ? house.patience().apply(programs.getFirst().name()).opening()
                : GATHERED;
        var around = new Member.Surroundings(house.verdicts(), voice, house.patience(), this::tell);
        this.members = programs.stream()
                .map(program -> new Member(program, naming, around))
                .toList();
    }

    /// One server as itself.
    public static Relay of(GuestProgram program, House house) {
        return new Relay(List.of(program), Naming.OWN, house);
    }

    /// Several behind one door.
    ///
    /// @param programs with names that differ
    public static Relay of(List<? extends GuestProgram> programs, House house) {
        return new Relay(programs, Naming.PREFIXED, house);
    }

    private void tell(Change change) {
        listeners.forEach(listener -> listener.accept(change));
    }

    @Override
    public JsonObject info() {
        var own = alone().flatMap(members.getFirst()::info)
                .filter(info ->
                        info.text("name").isPresent() && info.text("version").isPresent());
        return own.orElseGet(() -> Json.object()
                .put("name", naming == Naming.OWN ? members.getFirst().name() : "cagewright-gateway")
                .put("version", Product.own().version())
                .build());
    }

    @Override
    public JsonObject capabilities() {
        var capabilities = Json.object();
        var changing = Json.object().put("listChanged", /* value= */ true).build();
        var agreed = alone().map(Guest.Serving::agreed);
        if (agreed.map(one -> one.has("tools")).orElse(true)) {
            capabilities.put("tools", changing);
        }
        if (agreed.map(one -> one.has("resources")).orElse(true)) {
            capabilities.put("resources", Subscriptions.capability(agreed));
        }
        if (agreed.map(one -> one.has("prompts")).orElse(true)) {
            capabilities.put("prompts", changing);
        }
        if (agreed.map(one -> one.has("completions")).orElse(true)) {
            capabilities.put("completions", JsonObject.EMPTY);
        }
        return capabilities.put("logging", JsonObject.EMPTY).build();
    }

    @Override
    public Optional<String> instructions() {
        return alone().flatMap(members.getFirst()::instructions);
    }

    /// The one server, if it is one and can be had: a client that opens waits for it.
    private Optional<Guest.Serving> alone() {
        if (naming == Naming.PREFIXED) {
            return Optional.empty();
        }
        try {
            return Optional.of(members.getFirst().serving(within));
        } catch (RpcException _) {
            return Optional.empty(); // whoever asks for more is told
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    @Override
    public JsonObject answer(String method, JsonObject params, Caller caller)
            throws RpcException, InterruptedException {
        return switch (method) {
            case "tools/list" -> list(Kind.TOOLS, params, caller);
            case "prompts/list" -> list(Kind.PROMPTS, params, caller);
            case "resources/list" -> list(Kind.RESOURCES, params, caller);
            case "resources/templates/list" -> list(Kind.TEMPLATES, params, caller);
            case "tools/call" -> new ToolCall(this, params, caller).result();
            case "prompts/get",
                    "resources/read",
                    "resources/subscribe",
                    "resources/unsubscribe",
                    "completion/complete" -> new Errand(this, method, params, caller).result();
            default -> throw new RpcException(RpcError.METHOD_NOT_FOUND, "nothing here answers " + method);
        };
    }

    @Override
    public Optional<JsonObject> argumentsSchema(String tool) {
        try {
            return directoryWith(tool, Kind.TOOLS, Silent.CALLER)
                    .find(tool)
                    .flatMap(entry -> entry.shown().member("inputSchema"))
                    .filter(JsonObject.class::isInstance)
                    .map(JsonObject.class::cast);
        } catch (RpcException _) {
            return Optional.empty(); // the call itself says why
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private JsonObject list(Kind kind, JsonObject params, Caller caller) throws RpcException, InterruptedException {
        return Pages.of(kind, directory(kind, caller).shown(), params);
    }

    List<Member> members() {
        return members;
    }

    /// What a server has to be there when something is asked of it.
    Duration patience() {
        return within;
    }

    Naming naming() {
        return naming;
    }

    /// All of that kind, of every server that can be had.
    ///
    /// @throws RpcException if there is one server, and it has no list
    private Directory directory(Kind kind, Caller caller) throws RpcException, InterruptedException {
        return directory(kind, caller, within);
    }

    /// What is needed to find `name`: who asks for a thing of a server that is there does not wait for others.
    ///
    /// @throws RpcException if there is one server, and it has no list
    Directory directoryWith(String name, Kind kind, Caller caller) throws RpcException, InterruptedException {
        if (naming == Naming.PREFIXED) {
            var now = directory(kind, caller, Duration.ZERO);
            if (now.find(name).isPresent()) {
                return now;
            }
        }
        return directory(kind, caller, within);
    }

    private Directory directory(Kind kind, Caller caller, Duration patience) throws RpcException, InterruptedException {
        long version = members.stream().mapToLong(Member::version).sum();
        synchronized (built) {
            var known = built.get(kind);
            if (known != null && known.version() == version) {
                return known.directory();
            }
        }
        long end = System.nanoTime() + patience.toNanos();
        var candidates = new ArrayList<Directory.Candidate>();
        boolean isWhole = true;
        for (Member member : members) {
            try {
                var left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
                candidates.addAll(member.candidates(kind, left, caller));
            } catch (RpcException e) {
                if (naming == Naming.OWN) {
                    throw e;
                }
                isWhole = false;
                if (!patience.isZero()) {
                    report(member, "is left out of " + kind.method() + ": " + e.getMessage());
                }
            }
        }
        var directory = Directory.of(candidates);
        directory.ambiguous().values().forEach(why -> report(members.getFirst(), "has names in conflict: " + why));
        synchronized (built) {
            if (isWhole) {
                built.put(kind, new Built(version, directory));
            }
        }
        return directory;
    }

    /// Once is enough.
    private void report(Member member, String clause) {
        boolean isNew;
        synchronized (reported) {
            isNew = reported.size() < 1_000 && reported.add(member.name() + '\0' + clause);
        }
        if (isNew) {
            voice.told(member.name(), clause);
        }
    }

    @Override
    public Listening listen(Consumer<Change> changed) {
        listeners.add(changed);
        return () -> listeners.remove(changed);
    }

    /// Ends all servers; when this returns none of their processes lives.
    @Override
    public void close() {
        var threads = members.stream()
                .map(member -> Thread.ofVirtual().name("relay-close").start(member::close))
                .toList();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
