package dev.cagewright.mcp.relay;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.mcp.consent.ClientAsker;
import dev.cagewright.mcp.guest.Ears;
import dev.cagewright.mcp.guest.Guest;
import dev.cagewright.mcp.guest.GuestProgram;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.guest.Patience;
import dev.cagewright.mcp.guest.Silent;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.offer.Offer.Change;
import dev.cagewright.mcp.pin.Accepted;
import dev.cagewright.mcp.pin.PinKind;
import dev.cagewright.mcp.rpc.RpcException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/// One server of a relay, and what its things are called outside. Safe for all threads.
final class Member implements Ears, AutoCloseable {
    /// Of what is held, so much is named.
    private static final int MOST_NAMED = 20;

    private final String name;
    private final Guest guest;
    private final Optional<ClientAsker> asker;
    private final Naming naming;
    private final Uris uris;
    private final Surroundings around;
    private final AtomicLong version = new AtomicLong();
    private final Following following = new Following();
    private volatile Optional<Known> verdicts = Optional.empty();

    private final Set<String> saidOnce = ConcurrentHashMap.newKeySet();

    private final Map<Kind, Listed> listed = new ConcurrentHashMap<>();

    private record Known(Standing standing, Verdicts verdicts) {}

    /// A list as it was read, and what it was read of.
    private record Listed(long version, Guest.Serving serving, List<Directory.Candidate> candidates) {}

    /// What is around all servers of a relay.
    ///
    /// @param verdicts of the run that a server is in
    /// @param changed hears of changes
    record Surroundings(
            BiFunction<String, Standing, Verdicts> verdicts,
            Voice voice,
            Function<String, Patience> patience,
            Consumer<Change> changed) {}

    Member(GuestProgram program, Naming naming, Surroundings around) {
        this.name = program.name();
        this.asker = program.asker();
        this.naming = naming;
        this.uris = naming == Naming.OWN ? Uris.alone() : Uris.of(program.name());
        this.around = around;
        // It may speak before this is whole, so it comes last.
        this.guest = new Guest(program, this, around.patience().apply(name));
    }

    String name() {
        return name;
    }

    Uris uris() {
        return uris;
    }

    /// Another number each time that its lists may be others.
    long version() {
        return version.get() + verdicts.map(known -> known.verdicts().version()).orElse(0L);
    }

    /// @throws RpcException if it is not there in time
    Guest.Serving serving(Duration within) throws RpcException, InterruptedException {
        return guest.serving(within);
    }

    Optional<Guest.Serving> servingNow() {
        return guest.servingNow();
    }

    Verdicts verdicts(Guest.Serving serving) {
        return verdictsIn(serving.standing());
    }

    private Verdicts verdictsIn(Standing standing) {
        var known = verdicts;
        if (known.isPresent() && known.get().standing().equals(standing)) {
            return known.get().verdicts();
        }
        var made = around.verdicts().apply(name(), standing);
        verdicts = Optional.of(new Known(standing, made));
        return made;
    }

    /// What has to be asked about a call is asked of its client too, until this is closed on the same thread.
    ClientAsker.Listening asking(Caller caller) {
        if (asker.isEmpty()) {
            return () -> {};
        }
        var own = asker.get().with(caller);
        var beside = asker.get().beside(caller);
        return () -> {
            own.close();
            beside.close();
        };
    }

    /// What it has of that kind, as clients may see it.
    ///
    /// @throws RpcException if it cannot be had
    List<Directory.Candidate> candidates(Kind kind, Duration within, Caller caller)
            throws RpcException, InterruptedException {
        var serving = guest.serving(within);
        long version = version();
        var known = listed.get(kind);
        if (known != null && known.version() == version && known.serving().equals(serving)) {
            return known.candidates();
        }
        var candidates = candidates(kind, serving, new Pages(serving, kind, caller).all());
        listed.put(kind, new Listed(version, serving, candidates));
        return candidates;
    }

    private List<Directory.Candidate> candidates(Kind kind, Guest.Serving serving, List<JsonObject> listed)
            throws RpcException {
        var all = listed;
        var verdicts = verdicts(serving);
        var pinned = kind.pinned();
        if (pinned.isPresent()) {
            all = known(verdicts.accepted(pinned.get(), all));
        }
        if (kind == Kind.TOOLS) {
            all = all.stream()
                    .filter(tool -> verdicts.shows(tool.text("name").orElseThrow()))
                    .toList();
        }
        var candidates = new ArrayList<Directory.Candidate>(all.size());
        for (JsonObject one : all) {
            var name = one.text(kind.key()).orElseThrow();
            var outside = outside(kind, name);
            cleaned(verdicts, kind.method(), one)
                    .map(clean -> Uris.with(clean, kind.key(), new JsonString(outside)))
                    .ifPresent(shown ->
                            candidates.add(new Directory.Candidate(outside, new Directory.Entry(this, name, shown))));
        }
        return List.copyOf(candidates);
    }

    /// What it says about itself to a model, if it says something that a person has accepted, or that was so first.
    Optional<String> instructions(Guest.Serving serving) {
        var said = serving.agreed().instructions();
        var self = said.map(text -> Json.object().put(PinKind.SELF, text).build());
        try {
            var verdicts = verdicts(serving);
            var accepted = known(verdicts.accepted(PinKind.SERVER, self.stream().toList()));
            return accepted.isEmpty()
                    ? Optional.empty()
                    : cleaned(verdicts, PinKind.SELF, accepted.getFirst()).flatMap(clean -> clean.text(PinKind.SELF));
        } catch (RpcException e) {
            told("has instructions that cannot go on: " + e.getMessage());
            return Optional.empty();
        }
    }

    /// The name and the like by which it goes, as far as that may go on.
    Optional<JsonObject> info(Guest.Serving serving) {
        return cleaned(verdicts(serving), "name", serving.agreed().info());
    }

    /// Tells the person what became of a list, each thing once.
    private List<JsonObject> known(Accepted accepted) {
        var clause = "";
        if (!accepted.held().isEmpty()) {
            clause = "has what nobody accepted, and it is held: "
                    + accepted.held().stream()
                            .limit(MOST_NAMED)
                            .map(held -> held.kind().singular() + " " + held.name() + " "
                                    + held.reason().words())
                            .collect(Collectors.joining(", "))
                    + "; cagewright mcp diff shows it, cagewright mcp pin accepts it";
        } else if (accepted.trust() == Accepted.Trust.ON_FIRST_USE
                && !accepted.definitions().isEmpty()) {
            clause = "is seen for the first time: what it offers is trusted as it is, and held from now on where it"
                    + " changes";
        }
        if (!clause.isEmpty() && saidOnce.add(clause)) {
            told(clause);
        }
        return accepted.definitions();
    }

    /// A model reads definitions as it reads results.
    private Optional<JsonObject> cleaned(Verdicts verdicts, String where, JsonObject definition) {
        try {
            return Optional.of(verdicts.said(definition))
                    .filter(JsonObject.class::isInstance)
                    .map(JsonObject.class::cast);
        } catch (RpcException e) {
            told("has in its " + where + " what may not go on: " + e.getMessage());
            return Optional.empty();
        }
    }

    private String outside(Kind kind, String name) {
        return switch (kind) {
            case TOOLS, PROMPTS -> naming == Naming.OWN ? name : Names.of(name(), name);
            case RESOURCES, TEMPLATES -> uris.outside(name);
        };
    }

    /// What of its resources clients follow.
    Following following() {
        return following;
    }

    /// A server that was run again does not know whom it told of what.
    private void followAgain(Guest.Serving serving) {
        for (String uri : following.all()) {
            try {
                serving.ask("resources/subscribe", Json.object().put("uri", uri).build(), Silent.CALLER);
            } catch (RpcException e) {
                told("does not tell any more of a resource that is followed: " + e.getMessage());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void opened(Guest.Serving serving) {
        if (!following.all().isEmpty()) {
            Thread.ofVirtual().name("mcp-follow").start(() -> followAgain(serving));
        }
        version.incrementAndGet();
        for (Change change : Change.Lists.values()) {
            around.changed().accept(change);
        }
    }

    @Override
    public void changed(Change what) {
        if (what instanceof Change.Resource(String uri)) {
            around.changed().accept(new Change.Resource(uris.outside(uri)));
        } else {
            version.incrementAndGet();
            around.changed().accept(what);
        }
    }

    @Override
    public JsonObject abilities(Standing standing) {
        return Questions.abilities(verdictsIn(standing));
    }

    @Override
    public JsonObject abilities(Standing standing, Caller caller) {
        return Questions.abilities(verdictsIn(standing), caller);
    }

    @Override
    public Map<String, JsonObject> asked(
            Standing standing, Map<String, Caller.Question> questions, Optional<Caller> caller)
            throws RpcException, InterruptedException {
        return new Questions(name(), standing, verdictsIn(standing)).asked(questions, caller);
    }

    @Override
    public String passing(Standing standing, String text) {
        try {
            return verdictsIn(standing).said(new JsonString(text)) instanceof JsonString(String passing) ? passing : "";
        } catch (RpcException e) {
            return "(" + e.getMessage() + ")";
        }
    }

    @Override
    public void said(String line) {
        around.voice().said(name(), line);
    }

    @Override
    public void told(String sentence) {
        around.voice().told(name(), sentence);
    }

    @Override
    public void close() {
        guest.close();
    }
}
