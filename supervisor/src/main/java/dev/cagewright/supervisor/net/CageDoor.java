package dev.cagewright.supervisor.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.egress.CageNetwork;
import dev.cagewright.egress.Gateway;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.desk.DeskNames;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.dns.BoundedNames;
import dev.cagewright.egress.dns.NameServer;
import dev.cagewright.egress.dns.Transport;
import dev.cagewright.egress.here.LocalDoor;
import dev.cagewright.egress.relay.Listener;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.CageName;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.token.Token;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.cell.NameDoor;
import dev.cagewright.supervisor.budget.Meters;
import dev.cagewright.supervisor.budget.PolicyBudgets;
import dev.cagewright.supervisor.budget.Purse;
import dev.cagewright.supervisor.budget.RunBudgets;
import dev.cagewright.supervisor.budget.Spent;
import dev.cagewright.supervisor.budget.TokenBudgets;
import dev.cagewright.supervisor.capture.SessionCapture;
import dev.cagewright.supervisor.credentials.RunSecrets;
import dev.cagewright.supervisor.desk.Allowlist;
import dev.cagewright.supervisor.desk.Recall;
import dev.cagewright.supervisor.desk.SessionDesk;
import dev.cagewright.supervisor.grant.SessionGrants;
import dev.cagewright.supervisor.journal.AuditJournal;
import dev.cagewright.supervisor.standstill.Standstill;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/// A cage's door to the network while the cage lives: its gateway and its name server. Closing it closes
/// every socket of the cage's network. A cage that has no net cell has a door that is none.
public final class CageDoor implements HostDoor {
    /// What there is to close, in this order.
    private final Deque<Runnable> closing = new ArrayDeque<>();

    /// The note of what is used of each budget.
    public static final String BUDGETS = "net.budgets";

    /// Where connections come: the cage's own socket, and the host's doors into the same network.
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    private volatile Optional<BiFunction<LocalDoor, Gate, Listener>> here = Optional.empty();

    private final AtomicLong unrecorded = new AtomicLong();
    private List<Spent> spent = List.of();

    /// Whose door it is; absent for the host's own.
    private Optional<Cage> caged = Optional.empty();

    private CageDoor() {}

    /// Opens the door that `cage`'s net cell is made for.
    ///
    /// @param ground what the session says of it
    /// @throws ConfinementException if it cannot be opened; nothing of it is left
    public static CageDoor open(Cage cage, Ground ground) throws ConfinementException {
        var cell = cage.netCell();
        var door = new CageDoor();
        if (cell.isEmpty()) {
            return door;
        }
        try {
            door.caged = Optional.of(cage);
            var tcp = cell.get().tcp();
            var names = door.serve(ground, (gateway, network) -> gateway.attach(tcp.detach(), network));
            var asked = NameDoor.open(cell.get(), question -> names.answer(question, Transport.UDP));
            door.closing.addFirst(asked::close);
            return door;
        } catch (ConfinementException | RuntimeException e) {
            door.close();
            throw e;
        }
    }

    /// Opens a door on the host itself, for the host's own use of what `ground` allows.
    ///
    /// @param ground has an authority
    /// @throws ConfinementException if it cannot be opened; nothing of it is left
    public static CageDoor open(LocalDoor here, Ground ground) throws ConfinementException {
        var door = new CageDoor();
        try {
            door.serve(ground, (gateway, network) -> gateway.attach(here, network));
            return door;
        } catch (ConfinementException | RuntimeException e) {
            door.close();
            throw e;
        }
    }

    /// What a door is opened on.
    ///
    /// @param session the session's folder
    /// @param authority present for a cage with a net cell
    /// @param capture present where the policy asks for one; begun and ended with the door
    /// @param secrets of the run
    /// @param token whose bounds hold too
    /// @param grants where the cage's programs ask for more
    /// @param recall what was decided lately
    /// @param asking can anything come of that?
    public record Ground(
            Path session,
            Gate gate,
            AuditJournal journal,
            Optional<CageAuthority> authority,
            NetTerms terms,
            Meters meters,
            Tightening tightening,
            Optional<SessionCapture> capture,
            RunSecrets secrets,
            Optional<Token> token,
            SessionGrants grants,
            Recall recall,
            SessionDesk.Asking asking) {}

    /// @param attaching puts the gateway where connections come
    /// @return what answers the cage's questions
    private NameServer serve(Ground ground, BiFunction<Gateway, CageNetwork, Listener> attaching)
            throws ConfinementException {
        if (ground.capture().isPresent()) {
            keep(ground.capture().get(), ground.journal());
        }
        var gateway = Gateway.start(Gateway.Settings.usual());
        closing.addFirst(gateway::close);
        var addresses = new SyntheticAddresses();
        var inspection = Inspectors.of(ground.terms());
        var budgets = budgets(ground);
        var phase = ground.terms().setUps().isEmpty() ? "run" : "setup";
        closing.addFirst(() -> spent(budgets, ground.journal(), phase));
        var judged = new SessionNames(ground.gate(), ground.journal(), addresses, inspection);
        var desk = desk(ground, budgets);
        var bounded = new BoundedNames(judged);
        var names = new NameServer(DeskNames.of(desk, addresses, bounded));
        var chronicle = new BoundedChronicle(new AuditChronicle(ground.journal()));
        closing.addFirst(() -> closed(chronicle));
        var secrets = new GatewaySecrets(ground.terms().policy(), ground.secrets());
        var standstill = new Standstill(ground.session(), secrets.obeyed(ground.journal()));
        closing.addFirst(standstill::close);
        var credentials = secrets.on(() -> caged.ifPresent(standstill::begin), ground.journal());
        var network = new CageNetwork(
                ground.gate(),
                PolicyRulebook.of(
                        ground.terms(), gateway::addresses, ground.grants().held()),
                addresses,
                ground.authority().orElseThrow(),
                names,
                budgets,
                inspection,
                chronicle,
                ground.capture().<Capture>map(kept -> kept).orElse(Capture.NONE),
                credentials,
                desk);
        var listener = attaching.apply(gateway, network);
        here = Optional.of((at, gate) -> gateway.attach(at, network.judgedBy(gate)));
        listeners.add(listener);
        closing.addFirst(this::closeListeners);
        closing.addFirst(ground.grants().begin(new Follow(judged, bounded, this))::close);
        closing.addFirst(PolicyWatch.begin(ground, new Changes(ground, inspection, budgets, this))::close);
        if (secrets.isWatched()) {
            closing.addFirst(secrets.watch(credentials, ground.journal())::close);
        }
        return names;
    }

    /// What follows from a grant, and from its end.
    private record Follow(SessionNames names, BoundedNames bounded, CageDoor door) implements SessionGrants.Effects {
        @Override
        public void opened(HostName host) {
            names.forget(host);
            bounded.forget(host);
        }

        @Override
        public void closed(HostName host) {
            opened(host);
            door.revise();
        }
    }

    /// A cage is told of itself; the host asks otherwise.
    private PolicyDesk desk(Ground ground, RunBudgets budgets) {
        if (caged.isEmpty()) {
            return PolicyDesk.NONE;
        }
        var subject = new Allowlist.Subject(ground.terms().policy(), ground.gate(), ground.secrets(), budgets::spent);
        return new SessionDesk(subject, ground.recall(), ground.grants(), ground.journal(), ground.asking());
    }

    /// What a changed policy changes: the judgement, the inspectors and the budgets.
    private record Changes(Ground ground, Inspectors inspectors, RunBudgets budgets, CageDoor door)
            implements PolicyWatch.Heir {
        @Override
        public void became(EffectivePolicy policy) throws IOException {
            var looks = inspectors.with(policy);
            var bounds = PolicyBudgets.of(policy, purse(ground.terms()), ground.meters());
            inspectors.became(looks);
            budgets.became(bounds);
            ground.tightening().became(policy);
            ground.grants().became(policy);
        }

        @Override
        public void revise() {
            door.revise();
        }
    }

    private static Purse purse(NetTerms terms) {
        return new Purse(terms.policy().tool().map(CageName::value).orElse("cage"), terms.setUps());
    }

    private static RunBudgets budgets(Ground ground) throws ConfinementException {
        try {
            return new RunBudgets(
                    PolicyBudgets.of(ground.terms().policy(), purse(ground.terms()), ground.meters()),
                    TokenBudgets.of(ground.token(), ground.meters()));
        } catch (IOException e) {
            var refusal = new ConfinementException(
                    "net",
                    "budget",
                    String.valueOf(e.getMessage()),
                    "mend the folder of budgets, or give the cage no network");
            refusal.initCause(e);
            throw refusal;
        }
    }

    private void spent(RunBudgets budgets, AuditJournal journal, String phase) {
        try {
            spent = budgets.spent();
            if (!spent.isEmpty()) {
                journal.note(
                        BUDGETS,
                        Json.object().put("budgets", told(spent, phase)).build());
            }
        } catch (IOException | RuntimeException _) {
            // a count that cannot be read, or a log that takes no note, refused everything already
            return;
        }
    }

    private static List<JsonObject> told(List<Spent> all, String phase) {
        return all.stream()
                .map(one -> Json.object()
                        .put("rule", one.rule())
                        .put("layer", one.rank().name().toLowerCase(Locale.ROOT))
                        .put("phase", phase)
                        .put("used", one.used())
                        .put("bound", one.rate().amount())
                        .put("per", one.rate().per().word())
                        .put("text", one.amounts())
                        .build())
                .toList();
    }

    /// What is used of each budget; known once the door is closed.
    public List<Spent> spent() {
        return spent;
    }

    private void keep(SessionCapture capture, AuditJournal journal) throws ConfinementException {
        try {
            capture.begin();
        } catch (IOException e) {
            var refusal = new ConfinementException(
                    "capture", "begin", String.valueOf(e.getMessage()), "make room for it, or leave capture out");
            refusal.initCause(e);
            throw refusal;
        }
        closing.addFirst(() -> {
            try {
                journal.note("capture.closed", capture.finish());
            } catch (IOException _) {
                // a log that takes no note takes no outcome of the run either, and that is told
                return;
            }
        });
    }

    private void closed(BoundedChronicle chronicle) {
        try {
            chronicle.close();
        } catch (IOException _) {
            unrecorded.incrementAndGet();
        }
    }

    /// Judges everything anew that is under way, and ends what is no longer allowed.
    @Override
    public void revise() {
        listeners.forEach(Listener::revise);
    }

    /// A door on the host into the network of this one, for one destination: what comes there is judged, counted, kept
    /// and given credentials as what comes from the cage.
    ///
    /// @param gate of the same session
    /// @return closed before this is
    /// @throws ConfinementException if this door is none, or is closed
    public HostDoor here(LocalDoor at, Gate gate) throws ConfinementException {
        var listener = here.orElseThrow(() -> new ConfinementException(
                        "net", "fetch", "the cage has no network", "name the host in net.hosts of the policy"))
                .apply(at, gate);
        listeners.add(listener);
        return new Beside(listener);
    }

    private final class Beside implements HostDoor {
        private final Listener listener;

        Beside(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void revise() {
            listener.revise();
        }

        @Override
        public void close() {
            closed(listener);
        }
    }

    private void closeListeners() {
        here = Optional.empty();
        List.copyOf(listeners).forEach(this::closed);
    }

    private void closed(Listener listener) {
        if (listeners.remove(listener)) {
            listener.close();
            unrecorded.addAndGet(listener.unrecorded());
        }
    }

    /// How many ends of requests and connections could not be written into the log; known once the door is closed.
    public long unrecorded() {
        return unrecorded.get();
    }

    /// Closes every socket of the cage's network and waits until every end is on record.
    @Override
    public void close() {
        closing.forEach(Runnable::run);
        closing.clear();
    }
}
