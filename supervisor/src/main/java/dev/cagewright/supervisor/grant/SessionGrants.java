package dev.cagewright.supervisor.grant;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.layers.Granting.Answer;
import dev.cagewright.supervisor.approval.QuestionDesk;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import dev.cagewright.supervisor.grant.GrantState.Standing;
import dev.cagewright.supervisor.grant.LiveGrants.Source;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The grants of one session, from what is asked for to its end. What a rule of the policy gives is given at once,
/// what only a person can give is put to one, and everything that fails is a denial. Grants come and go while the
/// cage has its door. Safe for all threads.
public final class SessionGrants implements GrantDesk {
    /// Of so many requests it is remembered what became of them.
    private static final int MOST_KNOWN = 512;

    private static final String PROGRAM = "a program of the cage";
    private static final String NOBODY = "no rule of net.may_grant gives it, and nobody can be asked";
    private static final RuleId PERSON = new RuleId("grant:person");

    private final Path session;
    private final GrantRules rules;
    private final GrantJournal journal;
    private final PersonDesk persons;
    private final LiveGrants held;
    private final Map<DecisionId, GrantState> known = bounded();
    private final Map<DecisionId, Opening> refusedByPersons = bounded();
    private volatile @Nullable Effects effects;

    /// Whose grants they are.
    ///
    /// @param session the session's own folder
    /// @param policy in force at its start; absent where nothing is granted
    public record Place(Path session, Optional<EffectivePolicy> policy) {}

    /// What follows from a change.
    public interface Effects {
        /// More of this host may be reached from here on.
        void opened(HostName host);

        /// Less of this host may be reached; what is under way is judged again.
        void closed(HostName host);
    }

    /// @param held those that hold, for the judge and the rulebook
    public SessionGrants(Place place, AuditJournal journal, QuestionDesk questions, LiveGrants held) {
        this.session = place.session();
        this.rules = new GrantRules(place.policy());
        this.journal = new GrantJournal(journal, place.session());
        this.persons = new PersonDesk(questions);
        this.held = held;
    }

    private static <T> Map<DecisionId, T> bounded() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<DecisionId, T> eldest) {
                return size() > MOST_KNOWN;
            }
        };
    }

    /// Those that hold.
    public LiveGrants held() {
        return held;
    }

    /// Gives and takes from now on, until what is returned is closed.
    public GrantWatch begin(Effects follow) {
        effects = follow;
        return GrantWatch.begin(session, this);
    }

    void end() {
        effects = null;
        persons.settle();
    }

    /// The policy's files say something else now: what a rule gave and none would give any more is taken back.
    public void became(EffectivePolicy changed) {
        rules.became(changed);
        held.all().stream()
                .filter(each -> each.source() == Source.RULE)
                .map(LiveGrants.Held::grant)
                .filter(grant -> !rules.isStillByRule(grant.opening()))
                .forEach(grant -> revoke(grant.id(), "the changed policy"));
    }

    @Override
    public synchronized Optional<GrantState> find(DecisionId id) {
        return Optional.ofNullable(known.get(id)).map(this::asItIs);
    }

    /// Time alone ends a grant.
    private GrantState asItIs(GrantState state) {
        boolean isOver = state.standing() == Standing.GRANTED
                && state.until().isPresent()
                && live().stream().noneMatch(grant -> grant.id().equals(state.id()));
        return isOver
                ? new GrantState(state.id(), state.opening(), Standing.EXPIRED, "its time is over", state.until())
                : state;
    }

    @Override
    public List<Grant> live() {
        return held.all().stream().map(LiveGrants.Held::grant).toList();
    }

    // what a program asks for

    @Override
    public synchronized GrantState ask(GrantRequest request) {
        var same = same(request.opening());
        if (same.isPresent()) {
            return same.get();
        }
        var wish = new Wish(journal.nextId(), request, PROGRAM);
        try {
            journal.asked(wish.id(), request, wish.by());
            return settled(wish, rules.of(request.opening()));
        } catch (IOException e) {
            return unrecorded(wish, e);
        }
    }

    /// The same was asked for before, and what became of it still holds.
    private Optional<GrantState> same(Opening opening) {
        return known.values().stream()
                .filter(state -> state.opening().equals(opening))
                .map(this::asItIs)
                .filter(state -> switch (state.standing()) {
                    case PENDING -> true;
                    case GRANTED -> state.until().isPresent();
                    case DENIED -> refusedByPersons.containsKey(state.id());
                    case EXPIRED, REVOKED -> false;
                })
                .reduce((_, newest) -> newest);
    }

    /// What is asked for.
    ///
    /// @param by who asks
    private record Wish(DecisionId id, GrantRequest request, String by) {
        Opening opening() {
            return request.opening();
        }
    }

    /// How it is given.
    ///
    /// @param by the rules or the account
    /// @param how the way the answer came
    private record Giving(Duration time, List<List<String>> addresses, String by, String how, Source source) {}

    private GrantState settled(Wish wish, Answer answer) throws IOException {
        return switch (answer) {
            case Answer.Never(var why) ->
                denied(wish, why.detail(), why.because().getFirst());
            case Answer.Needless(RuleId rule) -> needless(wish, rule);
            case Answer.ByRule(var by, var longest, var addresses) ->
                given(
                        wish,
                        new Giving(
                                GrantRules.shorter(wish.request().time(), longest),
                                addresses,
                                by.stream().map(RuleId::value).distinct().collect(Collectors.joining(", ")),
                                "rule",
                                Source.RULE));
            case Answer.ByPerson _ -> asked(wish);
        };
    }

    private GrantState asked(Wish wish) throws IOException {
        if (effects == null || !persons.reaches()) {
            return denied(wish, NOBODY, PERSON);
        }
        var patience = rules.patience();
        var pending = keep(new GrantState(
                wish.id(),
                wish.opening(),
                Standing.PENDING,
                "a person was asked",
                Optional.of(Instant.now().plus(patience))));
        return persons.ask(wish.id(), wish.request(), patience, reply -> replied(wish, reply))
                ? pending
                : denied(wish, PersonDesk.MOST + " requests wait for a person already", PERSON);
    }

    private synchronized void replied(Wish wish, Optional<Reply> reply) {
        try {
            var _ = reply.isEmpty() ? denied(wish, NOBODY, PERSON) : replied(wish, reply.get());
        } catch (IOException e) {
            var _ = unrecorded(wish, e);
        }
    }

    private GrantState replied(Wish wish, Reply reply) throws IOException {
        return switch (reply.word()) {
            case EXPIRED -> denied(wish, "nobody answered in time", PERSON);
            case REFUSED -> {
                refusedByPersons.put(wish.id(), wish.opening());
                yield denied(wish, "a person said no", PERSON);
            }
            case AGREED -> {
                var time = switch (reply.scope()) {
                    case Scope.Once _ -> wish.request().time();
                    case Scope.ThisRun _ -> GrantRequest.LONGEST;
                    case Scope.For(Duration some) -> some;
                };
                yield byPerson(wish, new Giving(time, List.of(), reply.who(), reply.how(), Source.PERSON));
            }
        };
    }

    // what a person gives

    /// Gives what somebody outside of the cage wants it to have.
    ///
    /// @param addresses the only ones that may be dialled; none means public ones
    /// @param who the account
    synchronized GrantState add(GrantRequest request, List<String> addresses, String who) {
        var wish = new Wish(journal.nextId(), request, who);
        try {
            journal.asked(wish.id(), request, who);
            var places = addresses.isEmpty() ? List.<List<String>>of() : List.of(addresses);
            return byPerson(wish, new Giving(request.time(), places, who, "command", Source.PERSON));
        } catch (IOException e) {
            return unrecorded(wish, e);
        }
    }

    /// As far as the policy as it is now lets a person give it.
    private GrantState byPerson(Wish wish, Giving giving) throws IOException {
        return switch (rules.ofPerson(wish.opening())) {
            case Answer.Never(var why) ->
                denied(wish, why.detail(), why.because().getFirst());
            case Answer.Needless(RuleId rule) -> needless(wish, rule);
            case Answer.ByRule _ -> denied(wish, NOBODY, PERSON);
            case Answer.ByPerson(var longest, var addresses) -> {
                var all = new ArrayList<>(addresses);
                all.addAll(giving.addresses());
                var time = longest.map(most -> GrantRules.shorter(giving.time(), most))
                        .orElse(giving.time());
                yield given(wish, new Giving(time, all, giving.by(), giving.how(), Source.PERSON));
            }
        };
    }

    // what comes of it

    private GrantState given(Wish wish, Giving giving) throws IOException {
        var follow = effects;
        if (follow == null) {
            return denied(wish, "the cage has no door to the network now", PERSON);
        }
        if (held.isFull()) {
            return denied(wish, LiveGrants.MOST + " grants hold already", PERSON);
        }
        var grant = new Grant(wish.id(), wish.opening(), giving.addresses(), held.endAfter(giving.time()));
        if (held.contradicts(grant)) {
            return denied(wish, "another grant says that " + wish.opening().host() + " is elsewhere", PERSON);
        }
        journal.given(
                new GrantRecord(
                        grant, GrantJournal.safe(wish.request().why()), giving.by(), Instant.now(), Standing.GRANTED),
                giving.how());
        held.add(grant, giving.time(), giving.source());
        follow.opened(wish.opening().host());
        return keep(new GrantState(
                wish.id(), wish.opening(), Standing.GRANTED, "granted by " + giving.by(), Optional.of(grant.until())));
    }

    private GrantState denied(Wish wish, String why, RuleId rule) throws IOException {
        var denied = keep(state(wish, Standing.DENIED, why));
        journal.refused(wish.id(), "grant.denied", why, rule.value());
        return denied;
    }

    private GrantState needless(Wish wish, RuleId rule) throws IOException {
        var why = "the policy allows it without a grant (" + rule + ")";
        journal.refused(wish.id(), "grant.needless", why, rule.value());
        return keep(state(wish, Standing.GRANTED, why));
    }

    private GrantState unrecorded(Wish wish, IOException why) {
        return keep(state(
                wish, Standing.DENIED, "it cannot be put on record: " + GrantJournal.safe("" + why.getMessage())));
    }

    private static GrantState state(Wish wish, Standing standing, String reason) {
        return new GrantState(wish.id(), wish.opening(), standing, reason, Optional.empty());
    }

    private GrantState keep(GrantState state) {
        known.put(state.id(), state);
        return state;
    }

    // ends

    /// Takes a grant back, with everything that is under way because of it.
    ///
    /// @param by the account, or what else did
    /// @return false if it does not hold
    synchronized boolean revoke(DecisionId id, String by) {
        var gone = held.remove(id);
        gone.ifPresent(grant -> ended(grant, Standing.REVOKED, by));
        return gone.isPresent();
    }

    /// Ends what is over.
    synchronized void expire() {
        held.takeOver().forEach(grant -> ended(grant, Standing.EXPIRED, "time"));
    }

    private void ended(Grant grant, Standing standing, String by) {
        var follow = effects;
        if (follow != null) {
            follow.closed(grant.opening().host());
        }
        journal.ended(grant.id(), standing, by);
        keep(new GrantState(
                grant.id(), grant.opening(), standing, standing.word() + " by " + by, Optional.of(grant.until())));
    }
}
