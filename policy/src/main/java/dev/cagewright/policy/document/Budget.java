package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Field;
import java.util.Locale;
import java.util.Optional;

/// How much of one destination may be used.
///
/// @param sent bytes towards it
/// @param received bytes from it
public record Budget(Optional<Rate> requests, Optional<Rate> sent, Optional<Rate> received) {
    public static final Budget UNLIMITED = new Budget(Optional.empty(), Optional.empty(), Optional.empty());

    /// An amount for a period.
    ///
    /// @param amount requests or bytes, at least 1
    public record Rate(long amount, Per per) {
        public Rate {
            if (amount < 1) {
                throw new IllegalArgumentException("amount: " + amount + " (expected: at least 1)");
            }
        }
    }

    public enum Per {
        MINUTE,
        HOUR,
        DAY,
        /// The whole run; what an amount without a period means.
        RUN
    }

    /// `500/day`, `20/minute`, `100`.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static Rate parseRequests(String field, String text) {
        var amount = beforeSlash(text);
        return new Rate(Count.parse(field, amount).value(), per(field, text));
    }

    /// `20MiB/day`, `2GiB`.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static Rate parseBytes(String field, String text) {
        return new Rate(ByteSize.parse(field, beforeSlash(text)).bytes(), per(field, text));
    }

    private static String beforeSlash(String text) {
        int slash = text.indexOf('/');
        return slash < 0 ? text : text.substring(0, slash);
    }

    private static Per per(String field, String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return Per.RUN;
        }
        var word = text.substring(slash + 1);
        for (Per per : Per.values()) {
            if (per.name().toLowerCase(Locale.ROOT).equals(word)) {
                return per;
            }
        }
        throw Field.refusal(field, text, "an amount and /minute, /hour, /day or /run");
    }
}
