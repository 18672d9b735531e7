package dev.cagewright.egress;

import dev.cagewright.egress.address.SyntheticAddresses;
import dev.cagewright.egress.authority.CageAuthority;
import dev.cagewright.egress.capture.Capture;
import dev.cagewright.egress.credential.Credentials;
import dev.cagewright.egress.desk.PolicyDesk;
import dev.cagewright.egress.dns.NameServer;
import dev.cagewright.egress.inspect.Inspection;
import dev.cagewright.policy.gate.Gate;
import java.util.function.Supplier;

/// One cage as the gateway knows it. Everything in it is safe for all threads.
///
/// @param gate judges every request and connection
/// @param rulebook what the policy says about where things go
/// @param addresses the names that the cage dials, by address
/// @param authority signs what the cage sees instead of the origin's certificates
/// @param names answers the cage's questions
/// @param budgets how much it may use
/// @param inspection looks into what passes; asked at the beginning of each request
/// @param chronicle hears how everything ended
/// @param capture keeps exchanges
/// @param credentials the secrets that it may use and never sees
/// @param policyDesk answers what it asks at the gateway's own name
public record CageNetwork(
        Gate gate,
        Rulebook rulebook,
        SyntheticAddresses addresses,
        CageAuthority authority,
        NameServer names,
        Budgets budgets,
        Supplier<Inspection> inspection,
        Chronicle chronicle,
        Capture capture,
        Credentials credentials,
        PolicyDesk policyDesk) {
    /// The same, and `other` judges.
    public CageNetwork judgedBy(Gate other) {
        return new CageNetwork(
                other,
                rulebook,
                addresses,
                authority,
                names,
                budgets,
                inspection,
                chronicle,
                capture,
                credentials,
                policyDesk);
    }
}
