package dev.cagewright.supervisor.net;

import dev.cagewright.policy.document.InspectSection;
import dev.cagewright.policy.document.PolicyDocument;
import dev.cagewright.sandbox.ConfinementException;
import java.util.Optional;

/// Bounds of a network that a policy may ask for and nobody holds yet. A network without a bound that was asked for
/// would be wider than the policy, so there is none.
final class UnheldBounds {
    private UnheldBounds() {}

    /// @throws ConfinementException if a layer asks for one; the message names the key
    static void refuse(NetTerms terms) throws ConfinementException {
        for (var layer : terms.policy().layers()) {
            var asked = keyOf(layer.document());
            if (asked.isPresent()) {
                throw new ConfinementException(
                        "net",
                        asked.get(),
                        "no run of this version holds it",
                        "leave it out, or give the cage no network");
            }
        }
    }

    private static Optional<String> keyOf(PolicyDocument document) {
        return document.inspect().filter(UnheldBounds::asksForSomething).map(_ -> "inspect");
    }

    private static boolean asksForSomething(InspectSection inspect) {
        return inspect.bodyMax().isPresent()
                || inspect.secrets().filter(UnheldBounds::reacts).isPresent()
                || inspect.entropy().filter(entropy -> reacts(entropy.then())).isPresent();
    }

    private static boolean reacts(InspectSection.Reaction reaction) {
        return reaction != InspectSection.Reaction.OFF;
    }
}
