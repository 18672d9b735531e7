package dev.cagewright.egress.address;

import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.document.HostRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which addresses may be dialled for the names of one rule: those its `addresses:` name, or the one that it is itself,
/// or for `localhost` the host's own, and otherwise public ones. Some are closed whatever a rule says: cloud metadata,
/// link-local, multicast, broadcast, unspecified. Immutable, safe for all threads.
public final class AddressRules {
    /// Without a rule: public addresses only.
    public static final AddressRules PUBLIC = new AddressRules(Optional.empty());

    /// For hosts that the machine's owner chose, such as a proxy: whatever is not closed to everybody.
    public static final AddressRules ANYWHERE = only(List.of("0.0.0.0/0", "::/0"));

    private static final List<AddressRange> LOOPBACK =
            List.of(AddressRange.known("127.0.0.1"), AddressRange.known("::1"));
    private static final AddressRange UNICAST = AddressRange.known("2000::/3");
    private static final AddressRange NAT64 = AddressRange.known("64:ff9b::/96");

    private final Optional<List<AddressRange>> only;

    private AddressRules(Optional<List<AddressRange>> only) {
        this.only = only;
    }

    /// For names of the policy that are dialled as themselves.
    public static AddressRules of(HostRule rule) {
        return rule.target() instanceof HostRule.Target.Host(String host) && isName(host)
                ? of(rule, new HostName(host))
                : rule.addresses().map(AddressRules::only).orElse(PUBLIC);
    }

    private static boolean isName(String host) {
        return !host.startsWith("*.");
    }

    /// For one name.
    ///
    /// @param upstream the host that is dialled for it, which the policy names: itself, or what an alias stands for
    public static AddressRules of(HostRule rule, HostName upstream) {
        if (rule.addresses().isPresent()) {
            return only(rule.addresses().get());
        }
        if (upstream.value().equals("localhost")) {
            return new AddressRules(Optional.of(LOOPBACK));
        }
        return IpAddress.parse(upstream.value()).isPresent() ? only(List.of(upstream.value())) : PUBLIC;
    }

    /// Only addresses of these ranges, e.g. `10.0.0.5`, `fd00::/8`. A text that is no range opens nothing.
    public static AddressRules only(List<String> ranges) {
        var all = new ArrayList<AddressRange>();
        for (String text : ranges) {
            AddressRange.parse(text).ifPresent(all::add);
        }
        return new AddressRules(Optional.of(List.copyOf(all)));
    }

    /// Why `address` must not be dialled, as half a sentence that names it.
    public Optional<String> refusal(IpAddress address) {
        var forbidden = Forbidden.reason(address);
        if (forbidden.isPresent()) {
            return forbidden.map(why -> address + ": " + why);
        }
        if (only.isPresent()) {
            return only.get().stream().anyMatch(range -> range.contains(address))
                    ? Optional.empty()
                    : Optional.of(address + ": not one of the rule's addresses");
        }
        return specialPurpose(address).map(why -> address + ": not a public address (" + why + ")");
    }

    private static Optional<String> specialPurpose(IpAddress address) {
        if (!NAT64.contains(address)) {
            var row = SpecialPurpose.of(address);
            if (row.isPresent()) {
                return row.map(SpecialPurpose::toString);
            }
            if (!address.isV4() && !UNICAST.contains(address)) {
                return Optional.of("outside " + UNICAST + ", the IPv6 space that is given out");
            }
        }
        return Carried.by(address).stream()
                .flatMap(inner -> SpecialPurpose.of(inner).stream().map(row -> "carries " + inner + ", " + row))
                .findFirst();
    }

    /// The addresses themselves, in the rule's order, where each of its ranges is one: those are dialled, and nobody is
    /// asked.
    public Optional<List<IpAddress>> fixed() {
        return only.filter(ranges -> !ranges.isEmpty() && ranges.stream().allMatch(AddressRange::isOneAddress))
                .map(ranges -> ranges.stream().map(AddressRange::base).toList());
    }
}
