package dev.cagewright.egress.dns;

import dev.cagewright.egress.address.IpAddress;
import dev.cagewright.policy.action.HostName;
import dev.cagewright.policy.match.IpText;
import java.util.Optional;
import java.util.regex.Pattern;

/// Answers the DNS queries of one cage, out of nothing but what [Names] says. An allowed name has one IPv4 address and
/// no
/// other records, so that nothing leads past the gateway: no IPv6, no service binding (types 64, 65), no text. A name
/// that is refused has the sinkhole's address, with the decision in an extended DNS error. `localhost` is the cage's
/// own
/// (RFC 6761 section 6.3).
///
/// Safe for all threads; does not throw; takes time linear in the query.
public final class NameServer {
    private static final IpAddress LOOPBACK = IpAddress.of(new byte[] {127, 0, 0, 1});
    private static final IpAddress LOOPBACK_6 =
            IpAddress.of(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    private static final HostName LOCALHOST = new HostName("localhost");

    private static final Pattern SERVICE = Pattern.compile("_[0-9]{1,5}\\._https?\\.(.+)");

    private final Names names;

    public NameServer(Names names) {
        this.names = names;
    }

    /// The answer to `query`, at most 512 bytes by UDP; empty if silence is: for what is cut before its header ends,
    /// and for
    /// what is itself an answer.
    public Optional<byte[]> answer(byte[] query, Transport transport) {
        return switch (Query.read(query)) {
            case Query.Noise _ -> Optional.empty();
            case Query.Malformed malformed -> Optional.of(AnswerWriter.write(malformed));
            case Query.Asked asked -> Optional.of(AnswerWriter.write(asked, answer(asked), transport));
        };
    }

    private Answer answer(Query.Asked asked) {
        if (asked.edns().isPresent() && asked.edns().get().version() != 0) {
            return Answer.of(ResponseCode.BADVERS);
        }
        var question = asked.question();
        boolean isTransfer = question.type() >= Type.IXFR && question.type() <= Type.MAILA;
        if (question.dnsClass() != Type.CLASS_IN || isTransfer) {
            return Answer.of(ResponseCode.REFUSED);
        }
        if (question.name().isEmpty()) {
            return Answer.NODATA;
        }
        return hostName(question.name())
                .map(name -> answer(name, question.type()))
                .orElse(Answer.NXDOMAIN);
    }

    /// The name, unless no host can be called so.
    private static Optional<HostName> hostName(String text) {
        if (text.endsWith(".") || text.indexOf(':') >= 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new HostName(text)).filter(name -> !IpText.looksNumeric(name.value()));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private Answer answer(HostName name, int type) {
        if (name.equals(LOCALHOST) || name.value().endsWith(".localhost")) {
            return ofLocalhost(type);
        }
        if (name.value().endsWith(".arpa")) {
            return type == Type.PTR ? reverse(name) : Answer.NODATA;
        }
        if (name.value().endsWith(".invalid") || name.value().endsWith(".onion")) {
            return Answer.NXDOMAIN;
        }
        return switch (type) {
            case Type.A -> address(name);
            case Type.SVCB, Type.HTTPS -> nothing(address(served(name)), type);
            default -> nothing(address(name), type);
        };
    }

    /// The host whose service is asked about: a client that will not use port 443 asks for `_8443._https.HOST` (RFC
    /// 9460
    /// section 2.3).
    private static HostName served(HostName name) {
        var parts = SERVICE.matcher(name.value());
        return parts.matches() ? new HostName(parts.group(1)) : name;
    }

    /// Whatever is asked about a name may carry something out in it: what became of it is on record, and nothing is
    /// told, but why to whoever asks for more than an address.
    private static Answer nothing(Answer address, int type) {
        boolean isBesideAddress = type == Type.AAAA || type == Type.SVCB || type == Type.HTTPS;
        return new Answer(
                address.code() == ResponseCode.SERVFAIL ? ResponseCode.SERVFAIL : ResponseCode.NOERROR,
                Optional.empty(),
                isBesideAddress ? Optional.empty() : address.remark());
    }

    private static Answer ofLocalhost(int type) {
        return switch (type) {
            case Type.A -> Answer.of(new Answer.Data.Address(LOOPBACK));
            case Type.AAAA -> Answer.of(new Answer.Data.Address(LOOPBACK_6));
            default -> Answer.NODATA;
        };
    }

    private Answer address(HostName name) {
        try {
            return switch (names.of(name)) {
                case Names.Reachable(IpAddress address)
                when address.isV4() -> Answer.of(new Answer.Data.Address(address));
                case Names.Reachable _ -> Answer.NODATA;
                case Names.Refused(String id, String why, IpAddress sinkhole) ->
                    Answer.of(new Answer.Data.Address(sinkhole))
                            .with(new Answer.Remark(
                                    Answer.Remark.BLOCKED, id.isEmpty() ? why : "decision " + id + ": " + why));
            };
        } catch (RuntimeException | StackOverflowError _) {
            return Answer.of(ResponseCode.SERVFAIL)
                    .with(new Answer.Remark(Answer.Remark.OTHER, "the name could not be judged"));
        }
    }

    /// RFC 1035 section 3.5: the numbers of an IPv4 address backwards, below `in-addr.arpa`.
    private Answer reverse(HostName name) {
        var text = name.value();
        if (!text.endsWith(".in-addr.arpa")) {
            return Answer.NXDOMAIN;
        }
        var parts = text.substring(0, text.length() - ".in-addr.arpa".length()).split("\\.", -1);
        if (parts.length != 4) {
            return Answer.NXDOMAIN;
        }
        return IpAddress.parse(parts[3] + "." + parts[2] + "." + parts[1] + "." + parts[0])
                .flatMap(this::nameOf)
                .map(found -> Answer.of(new Answer.Data.Name(found)))
                .orElse(Answer.NXDOMAIN);
    }

    private Optional<HostName> nameOf(IpAddress address) {
        return address.equals(LOOPBACK) ? Optional.of(LOCALHOST) : names.nameOf(address);
    }
}
