package dev.cagewright.egress.relay;

import dev.cagewright.egress.Budgets;
import dev.cagewright.egress.CageNetwork;
import dev.cagewright.egress.Chronicle;
import dev.cagewright.egress.Gateway;
import dev.cagewright.egress.Rulebook;
import dev.cagewright.egress.Traffic;
import dev.cagewright.egress.address.AddressRange;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.deadline.Deadlines;
import dev.cagewright.egress.desk.DeskNames;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.dns.NameServer;
import dev.cagewright.egress.dns.Names;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.egress.tls.TlsEngine;
import dev.cagewright.egress.tls.Trust.Roots;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DecisionId;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.decision.RuleId;
import dev.cagewright.policy.document.Budget;
import dev.cagewright.policy.document.Credential;
import dev.cagewright.policy.document.HostRule;
import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.InspectSection.Reaction;
import dev.cagewright.policy.document.NetSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.policy.document.Upstream;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.policy.engine.CompiledPolicy;
import dev.cagewright.policy.gate.Approvals;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.policy.gate.Journal;
import io.netty.channel.unix.Socket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/// A gateway on loopback in the place of a net cell: the address that a client dials says the name, as in a
/// cage. `a.test` stands at 127.84.0.1 and its rule allows GET and POST below `/ok`; `b.test` stands at
/// 127.84.0.2 and no rule names it; the desk, where there is one, stands at 127.84.0.3; 127.84.0.99 is nobody's,
/// 127.90.0.1 an address that is no name's. The origin of `a.test` is 127.0.0.1 at the same port.
final class Bench implements AutoCloseable {
    static final String ALLOWED = "127.84.0.1";
    static final String DENIED = "127.84.0.2";
    static final String DESK = "127.84.0.3";
    static final String NOBODY = "127.84.0.99";
    static final String ADDRESS = "127.90.0.1";

    /// The secrets that the policy lets be used with `a.test`.
    static final List<String> NAMES = List.of("KEY", "OTHER", "USER");

    private static final AtomicInteger PROXIES = new AtomicInteger();

    final int port;
    /// What the disk does before it takes an intent; may wait.
    volatile Runnable disk = () -> {};
    final CageAuthority authority = CageAuthority.create("bench");
    final List<String> decisions = new CopyOnWriteArrayList<>();
    final List<String> found = new CopyOnWriteArrayList<>();
    final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private static final Decision NO_LONGER =
            new Decision.Deny(new RuleId("default:deny"), DenyCode.NO_RULE, "no rule names it any more");

    /// The first thing that was found, when it is on record: that may be after the answer.
    List<String> firstFound() {
        for (int i = 0; i < 1_000 && found.isEmpty(); i++) {
            LockSupport.parkNanos(20_000_000);
        }
        return found;
    }

    /// What is let through although no rule names it.
    volatile Predicate<Action> observed = _ -> false;

    /// Because of what.
    volatile RuleId observing = new RuleId("net.mode");

    private volatile Predicate<Action> forbidden = _ -> false;

    /// What a person is asked about, and what they say.
    volatile Predicate<Action> asked = _ -> false;

    volatile Approvals person = Approvals.NOBODY;
    private final Gateway gateway;
    private final CageNetwork network;
    private final List<Listener> listeners = new ArrayList<>();

    /// Where everything passes inspectors that block.
    static final Terms INSPECTED = Terms.USUAL.with(Inspection.of(
            InspectSection.SILENT.and(new InspectSection(
                    Optional.of(Reaction.BLOCK),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(Reaction.BLOCK),
                    Optional.of(Reaction.BLOCK),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty())),
            List.of(),
            _ -> false));

    /// Inspectors of which only those that look for secrets are told what to do.
    static Inspection lookingForSecrets(Reaction secrets) {
        var none = InspectSection.SILENT;
        var section = new InspectSection(
                Optional.of(secrets),
                none.encoded(),
                none.auth(),
                none.entropy(),
                none.types(),
                none.bombs(),
                none.dns(),
                none.fetchTools(),
                none.bodyMax(),
                none.custom(),
                none.decoys());
        return Inspection.of(section, List.of(), _ -> false);
    }

    /// What a test changes.
    ///
    /// @param proxy who is asked for the origin then; its name leads nowhere by itself
    record Terms(
            HostRule.Inspection inspection,
            HostRule.Protocol protocol,
            Deadlines deadlines,
            TlsEngine engine,
            Optional<Upstream.Proxy> proxy,
            Budgets budgets,
            Inspection inspectors,
            Credentials credentials) {
        static final Terms USUAL = new Terms(
                HostRule.Inspection.OPENED,
                HostRule.Protocol.HTTP,
                Deadlines.DEFAULT,
                TlsEngine.NATIVE,
                Optional.empty(),
                Budgets.UNLIMITED,
                Inspection.NONE,
                Credentials.NONE);

        Terms with(Credentials changed) {
            return new Terms(inspection, protocol, deadlines, engine, proxy, budgets, inspectors, changed);
        }

        Terms with(Inspection changed) {
            return new Terms(inspection, protocol, deadlines, engine, proxy, budgets, changed, credentials);
        }

        Terms with(HostRule.Inspection changed) {
            return new Terms(changed, protocol, deadlines, engine, proxy, budgets, inspectors, credentials);
        }

        Terms with(HostRule.Protocol changed) {
            return new Terms(inspection, changed, deadlines, engine, proxy, budgets, inspectors, credentials);
        }

        Terms with(Deadlines changed) {
            return new Terms(inspection, protocol, changed, engine, proxy, budgets, inspectors, credentials);
        }

        Terms with(TlsEngine changed) {
            return new Terms(inspection, protocol, deadlines, changed, proxy, budgets, inspectors, credentials);
        }

        Terms with(Budgets changed) {
            return new Terms(inspection, protocol, deadlines, engine, proxy, changed, inspectors, credentials);
        }

        Terms with(Upstream.Proxy asked) {
            return new Terms(
                    inspection, protocol, deadlines, engine, Optional.of(asked), budgets, inspectors, credentials);
        }
    }

    Bench(int port, Optional<Roots> roots, Terms terms) throws IOException, BadPolicyException {
        this(port, roots, terms, Capture.NONE);
    }

    Bench(int port, Optional<Roots> roots, Terms terms, Capture capture) throws IOException, BadPolicyException {
        this(port, roots, terms, capture, PolicyDesk.NONE);
    }

    Bench(int port, Optional<Roots> roots, Terms terms, Capture capture, PolicyDesk desk)
            throws IOException, BadPolicyException {
        this.port = port;
        var policy = CompiledPolicy.compile(document(port, terms));
        var addresses =
                new SyntheticAddresses(AddressRange.parse("127.84.0.0/16").orElseThrow());
        var a = addresses.of(new HostName("a.test")).orElseThrow();
        var b = addresses.of(new HostName("b.test")).orElseThrow();
        if (!a.toString().equals(ALLOWED) || !b.toString().equals(DENIED)) {
            throw new IllegalStateException("pool: " + a + ", " + b + " (expected: its first two addresses)");
        }
        var gate = new Gate(
                List.of(action -> forbidden.test(action) ? NO_LONGER : judged(policy, action)),
                (id, action, question, shown) -> person.ask(id, action, question, shown),
                new Notes());
        network = new CageNetwork(
                gate,
                new Places(policy, roots, terms.proxy()),
                addresses,
                authority,
                new NameServer(DeskNames.of(desk, addresses, named(addresses))),
                terms.budgets(),
                terms::inspectors,
                new Ends(),
                capture,
                terms.credentials(),
                desk);
        gateway = Gateway.start(new Gateway.Settings(2, terms.engine(), terms.deadlines()));
        for (String address : List.of(ALLOWED, DENIED, DESK, NOBODY, ADDRESS)) {
            listeners.add(gateway.attach(listening(address, port), network));
        }
    }

    private Decision judged(CompiledPolicy policy, Action action) {
        if (observed.test(action)) {
            return new Decision.Allow(observing);
        }
        return asked.test(action)
                ? new Decision.Ask(List.of(new RuleId("approval.require_for[0]")), Duration.ofMinutes(1))
                : policy.judge(action);
    }

    private static Names named(SyntheticAddresses addresses) {
        return name ->
                addresses.of(name).<Names.Ruling>map(Names.Reachable::new).orElseThrow();
    }

    private static PolicyDocument document(int port, Terms terms) {
        boolean isOpened =
                terms.inspection() == HostRule.Inspection.OPENED && terms.protocol() == HostRule.Protocol.HTTP;
        var rule = new HostRule(
                new HostRule.Target.Host("a.test"),
                Optional.of(List.of("GET", "HEAD", "POST")).filter(_ -> isOpened),
                Optional.of(List.of("/ok", "/ok/**")).filter(_ -> isOpened),
                Optional.of(List.of(port)),
                terms.protocol(),
                Optional.of(List.of("127.0.0.1")).filter(_ -> terms.proxy().isEmpty()),
                terms.inspection(),
                Optional.empty(),
                Budget.UNLIMITED);
        var net = new NetSection(
                Optional.of(NetSection.Reach.ALLOWLIST),
                Optional.empty(),
                Optional.of(List.of(rule)),
                Map.of(),
                Upstream.DIRECT);
        var none = PolicyDocument.EMPTY;
        return new PolicyDocument(
                none.tool(),
                none.minIsolation(),
                none.mode(),
                none.command(),
                none.fs(),
                Optional.of(net),
                Optional.of(NAMES.stream()
                        .map(name -> new Credential(
                                name, Optional.empty(), List.of("a.test", "127.90.0.1"), Optional.empty()))
                        .toList()),
                none.exec(),
                none.approval(),
                none.resources(),
                none.inspect(),
                none.capture(),
                Optional.empty(),
                none.mcp(),
                none.origins());
    }

    /// Changes the policy: what `changed` holds for is allowed no longer.
    void forbid(Predicate<Action> changed) {
        forbidden = changed;
        listeners.forEach(Listener::revise);
    }

    /// A listening socket as a net cell would make it.
    private static int listening(String address, int port) throws IOException {
        var socket = Socket.newSocketStream();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(IpAddress.parse(address).orElseThrow().toInetAddress(), port));
        socket.listen(4096);
        return socket.intValue();
    }

    /// How the next thing ended, in one line; waits for it.
    String nextEnd() {
        try {
            var end = ends.poll(20, TimeUnit.SECONDS);
            return end == null ? "nothing ended" : end;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /// Everything that `client` gets for `request`, in clear, until the gateway closes or says nothing for
    /// long.
    String ask(String address, String request) throws IOException {
        try (var socket = connect(address)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return readAll(socket);
        }
    }

    java.net.Socket connect(String address) throws IOException {
        var socket = new java.net.Socket();
        socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
        socket.connect(
                new InetSocketAddress(IpAddress.parse(address).orElseThrow().toInetAddress(), port));
        return socket;
    }

    /// A connection to the cell's own proxy.
    java.net.Socket connectToProxy() throws IOException {
        var address = String.format(
                Locale.ROOT,
                "127.%d.%d.%d",
                100 + (ProcessHandle.current().pid() >> 8) % 100,
                ProcessHandle.current().pid() & 255,
                1 + PROXIES.getAndIncrement() % 250);
        listeners.add(gateway.attach(listening(address, Listener.PROXY_PORT), network));
        var socket = new java.net.Socket();
        socket.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
        socket.connect(
                new InetSocketAddress(IpAddress.parse(address).orElseThrow().toInetAddress(), Listener.PROXY_PORT));
        return socket;
    }

    static String readAll(java.net.Socket socket) throws IOException {
        var out = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    static String pem(CageAuthority authority) throws Exception {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder().encodeToString(authority.certificate().getEncoded())
                + "\n-----END CERTIFICATE-----\n";
    }

    @Override
    public void close() {
        listeners.forEach(Listener::close);
        listeners.clear();
        gateway.close();
    }

    private static final class Places implements Rulebook {
        private final CompiledPolicy policy;
        private final Optional<Roots> roots;
        private final Optional<Upstream.Proxy> proxy;

        Places(CompiledPolicy policy, Optional<Roots> roots, Optional<Upstream.Proxy> proxy) {
            this.policy = policy;
            this.roots = roots;
            this.proxy = proxy;
        }

        @Override
        public Optional<Upstream.Proxy> proxy() {
            return proxy;
        }

        @Override
        public List<HostRule> rules(HostName host, int port) {
            return policy.hostRule(host, port).map(CompiledPolicy.NamedHostRule::rule).stream()
                    .toList();
        }

        @Override
        public HostName upstream(HostName host) {
            return policy.upstream(host);
        }

        @Override
        public Roots roots(HostName host, int port) {
            return roots.orElseGet(Roots.Machine::new);
        }

        @Override
        public List<String> remedy(DeniedException denied) {
            return policy.explain(denied.action())
                    .remedy()
                    .map(remedy -> List.of(remedy.yaml()))
                    .orElse(List.of());
        }
    }

    /// A journal in memory.
    private final class Notes implements Journal {
        private final AtomicLong numbers = new AtomicLong();

        @Override
        public DecisionId nextId() {
            return DecisionId.of("bench", numbers.incrementAndGet());
        }

        @Override
        public long intent(DecisionId id, Action action, Decision.Verdict verdict) {
            disk.run();
            decisions.add((verdict instanceof Decision.Allow ? "allow " : "deny ") + action);
            return decisions.size();
        }

        @Override
        public void intent(DecisionId id, Action action, Decision.Verdict verdict, Recorded recorded) {
            Thread.ofVirtual().start(() -> recorded.durable(intent(id, action, verdict)));
        }
    }

    private final class Ends implements Chronicle {
        @Override
        public void ended(DecisionId id, Action action, Traffic traffic, Kept kept) {
            var status = traffic.status().isPresent() ? traffic.status().getAsInt() + " " : "";
            ends.add(status + traffic.end() + " sent " + traffic.sentBytes() + " received " + traffic.receivedBytes());
            kept.kept();
        }

        @Override
        public void found(DecisionId id, Finding finding) {
            found.add(id + " " + finding);
        }

        @Override
        public void refused(Refused refused) {
            ends.add("refused " + refused.target() + ": " + refused.why());
        }
    }
}
