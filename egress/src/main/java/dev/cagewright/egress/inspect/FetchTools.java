package dev.cagewright.egress.inspect;

import dev.cagewright.egress.inspect.fetch.ProviderFetches;
import dev.cagewright.policy.document.InspectSection.Reaction;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Requests to language models that have the provider fetch for the cage: an allowed host as a way around the others.
final class FetchTools implements Inspector {
    private final Reaction reaction;

    FetchTools(Reaction reaction) {
        this.reaction = reaction;
    }

    @Override
    public String name() {
        return "fetch_tools";
    }

    @Override
    public Look begin(Message message) {
        boolean isAsking = message.direction() == Message.Direction.REQUEST
                && !message.mediaType().startsWith("multipart/")
                && ProviderFetches.isForModels(message.path());
        return isAsking ? new Reading() : new Look() {};
    }

    /// Nothing is held: a request that is not whole asks for nothing.
    private final class Reading implements Look {
        private final List<Sighting> seen = new ArrayList<>();
        private final ProviderFetches fetches = new ProviderFetches(this::saw);

        private void saw(String kind, long at) {
            Reactions.severity(reaction)
                    .filter(_ -> seen.size() < 16)
                    .ifPresent(severity -> seen.add(new Sighting(severity, "fetch_tools." + kind, at)));
        }

        @Override
        public Verdict next(ByteBuffer piece) {
            while (piece.hasRemaining()) {
                fetches.next(piece.get() & 0xff);
            }
            if (seen.isEmpty()) {
                return Verdict.ALLOW;
            }
            var verdict = new Verdict(seen);
            seen.clear();
            return verdict;
        }
    }
}
