package dev.cagewright.policy.mcp;

import dev.cagewright.policy.quantity.Field;
import java.util.Locale;
import java.util.Optional;

/// `mcp.requests`: what a server may ask of its client. Absent is silence, and silence is denial; of several layers one
/// denial is enough.
///
/// @param sampling having the client's model write something
/// @param elicitation asking the person behind the client
/// @param roots where the client works
public record RequestTerms(
        Optional<Permission> sampling, Optional<Permission> elicitation, Optional<Permission> roots) {
    static final RequestTerms SILENT = new RequestTerms(Optional.empty(), Optional.empty(), Optional.empty());

    /// Whether a server may.
    public enum Permission {
        ALLOW,
        DENY;

        /// Reads one of the words.
        ///
        /// @throws IllegalArgumentException naming `field` and the words
        public static Permission parse(String field, String text) {
            return switch (text) {
                case "allow" -> ALLOW;
                case "deny" -> DENY;
                default -> throw Field.refusal(field, text, "allow or deny");
            };
        }

        /// As policies spell it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Optional<Permission> both(Optional<Permission> one, Optional<Permission> other) {
            return one.isPresent() && other.isPresent()
                    ? Optional.of(one.get() == DENY ? DENY : other.get())
                    : one.or(() -> other);
        }
    }

    public boolean allowsSampling() {
        return sampling.filter(Permission.ALLOW::equals).isPresent();
    }

    public boolean allowsElicitation() {
        return elicitation.filter(Permission.ALLOW::equals).isPresent();
    }

    public boolean allowsRoots() {
        return roots.filter(Permission.ALLOW::equals).isPresent();
    }

    /// What holds when both do.
    public RequestTerms and(RequestTerms other) {
        return new RequestTerms(
                Permission.both(sampling, other.sampling),
                Permission.both(elicitation, other.elicitation),
                Permission.both(roots, other.roots));
    }
}
