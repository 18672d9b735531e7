package dev.cagewright.supervisor.capture;

import dev.cagewright.policy.document.CaptureSection;
import dev.cagewright.policy.layers.EffectivePolicy;
import dev.cagewright.policy.quantity.ByteSize;
import java.util.List;
import java.util.Optional;

/// What of the traffic is to be kept, by all layers together: what one asks for is kept.
///
/// @param body the most of each body, bytes; 0 for none
public record CaptureTerms(long body) {
    /// The most that a policy may ask for of each body.
    public static final ByteSize MOST = ByteSize.parse("capture.body", "64MiB");

    /// Empty if no layer asks for a capture.
    public static Optional<CaptureTerms> of(EffectivePolicy policy) {
        List<CaptureSection> asked = policy.layers().stream()
                .flatMap(layer -> layer.document().capture().stream())
                .filter(section -> section.har() == CaptureSection.Har.ON)
                .toList();
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        long most = asked.stream()
                .flatMap(section -> section.body().stream())
                .mapToLong(ByteSize::bytes)
                .max()
                .orElse(0);
        return Optional.of(new CaptureTerms(most));
    }
}
