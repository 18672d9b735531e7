package dev.cagewright.supervisor.net;

import dev.cagewright.audit.json.Json;
import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.dns.Names;
import dev.cagewright.egress.inspect.Finding;
import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Gate;
import dev.cagewright.supervisor.journal.AuditJournal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Judges what a cage looks up, once a name: the answer stays as long as the policy. Bounded; names that were
/// forgotten are judged again. Safe for all threads.
final class SessionNames implements Names {
    private static final int MOST = 4096;

    private final Gate gate;
    private final AuditJournal journal;
    private final SyntheticAddresses addresses;
    private final Supplier<Inspection> inspection;
    private long changes;
    private final Map<HostName, Ruling> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<HostName, Ruling> eldest) {
            return size() > MOST;
        }
    };

    SessionNames(Gate gate, AuditJournal journal, SyntheticAddresses addresses, Supplier<Inspection> inspection) {
        this.gate = gate;
        this.journal = journal;
        this.addresses = addresses;
        this.inspection = inspection;
    }

    @Override
    public Ruling of(HostName name) {
        long before;
        synchronized (known) {
            var ruling = known.get(name);
            if (ruling != null) {
                return ruling;
            }
            before = changes;
        }
        var ruling = judged(name);
        synchronized (known) {
            if (changes == before) {
                known.put(name, ruling);
            }
        }
        return ruling;
    }

    /// Judges this name again when it is asked for next: what may be reached has changed.
    void forget(HostName name) {
        synchronized (known) {
            known.remove(name);
            changes++;
        }
    }

    private Ruling judged(HostName name) {
        try {
            var warrant = gate.pass(new Action.DnsLookup(name));
            var action = warrant.spend(Action.DnsLookup.class);
            var finding = inspection.get().name(name);
            if (finding.isPresent()) {
                journal.note(warrant.id(), "net.finding", AuditChronicle.json(finding.get()));
            }
            if (finding.filter(Finding::blocks).isPresent()) {
                var why = "an inspector stopped this name: " + finding.get().kind();
                journal.outcome(
                        warrant.id(), action, Json.object().put("address", why).build());
                return refused(warrant.id().value(), why);
            }
            var address = addresses.of(name);
            journal.outcome(
                    warrant.id(),
                    action,
                    Json.object()
                            .put("address", address.map(IpAddress::toString).orElse("none left"))
                            .build());
            return address.<Ruling>map(Reachable::new)
                    .orElseGet(() -> refused(warrant.id().value(), "the cage has looked up too many names"));
        } catch (DeniedException e) {
            return refused(e.id().value(), e.denial().detail());
        } catch (IOException e) {
            return refused("", "the audit log cannot be written: " + e.getMessage());
        }
    }

    private static Refused refused(String id, String why) {
        return new Refused(id, why, SyntheticAddresses.SINKHOLE);
    }

    @Override
    public Optional<HostName> nameOf(IpAddress address) {
        return addresses.nameOf(address);
    }
}
