package dev.cagewright.policy.mcp;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Field;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BinaryOperator;

/// `mcp.results`: what becomes of what a server says. Of several layers the strictest word holds.
///
/// @param max the most that one result may be, base64 counted as what it stands for; absent means [#USUAL_MAX]
/// @param hidden what becomes of characters that a person does not see and a model reads; absent means `remove`
/// @param credentials what becomes of what is written like a credential; absent means `redact`
public record ResultTerms(Optional<ByteSize> max, Optional<Hidden> hidden, Optional<Credentials> credentials) {
    public static final ByteSize USUAL_MAX = new ByteSize(4 << 20);

    static final ResultTerms SILENT = new ResultTerms(Optional.empty(), Optional.empty(), Optional.empty());

    /// Towards hidden characters, mildest first.
    public enum Hidden {
        FLAG,
        REMOVE,
        BLOCK;

        /// Reads one of the words.
        ///
        /// @throws IllegalArgumentException naming `field` and the words
        public static Hidden parse(String field, String text) {
            return switch (text) {
                case "flag" -> FLAG;
                case "remove" -> REMOVE;
                case "block" -> BLOCK;
                default -> throw Field.refusal(field, text, "flag, remove or block");
            };
        }

        /// As policies spell it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Towards credentials, mildest first.
    public enum Credentials {
        FLAG,
        REDACT,
        BLOCK;

        /// Reads one of the words.
        ///
        /// @throws IllegalArgumentException naming `field` and the words
        public static Credentials parse(String field, String text) {
            return switch (text) {
                case "flag" -> FLAG;
                case "redact" -> REDACT;
                case "block" -> BLOCK;
                default -> throw Field.refusal(field, text, "flag, redact or block");
            };
        }

        /// As policies spell it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public long maxBytes() {
        return max.orElse(USUAL_MAX).bytes();
    }

    public Hidden towardsHidden() {
        return hidden.orElse(Hidden.REMOVE);
    }

    public Credentials towardsCredentials() {
        return credentials.orElse(Credentials.REDACT);
    }

    /// What holds when both do.
    public ResultTerms and(ResultTerms other) {
        return new ResultTerms(
                stricter(max, other.max, BinaryOperator.minBy(Comparator.naturalOrder())),
                stricter(hidden, other.hidden, BinaryOperator.maxBy(Comparator.naturalOrder())),
                stricter(credentials, other.credentials, BinaryOperator.maxBy(Comparator.naturalOrder())));
    }

    private static <T> Optional<T> stricter(Optional<T> one, Optional<T> other, BinaryOperator<T> choice) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(choice.apply(one.get(), other.get()))
                : one.or(() -> other);
    }
}
