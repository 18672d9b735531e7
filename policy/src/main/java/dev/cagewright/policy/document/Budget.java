package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// How much of one destination, or of everything together, may be used.
///
/// @param sent bytes towards it
/// @param received bytes from it
public record Budget(Optional<Rate> requests, Optional<Rate> sent, Optional<Rate> received) {
    public static final Budget UNLIMITED = new Budget(Optional.empty(), Optional.empty(), Optional.empty());

    /// What is counted.
    public enum Measure {
        REQUESTS,
        SENT,
        RECEIVED;

        /// The key in a policy.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// `rate` as a policy spells it, e.g. `20MiB/day`.
        public String text(Rate rate) {
            var amount = this == REQUESTS ? "" + rate.amount() : new ByteSize(rate.amount()).toString();
            return amount + "/" + rate.per().word();
        }
    }

    public boolean isUnlimited() {
        return equals(UNLIMITED);
    }

    public Optional<Rate> rate(Measure measure) {
        return switch (measure) {
            case REQUESTS -> requests;
            case SENT -> sent;
            case RECEIVED -> received;
        };
    }

    /// E.g. `requests 500/day, sent 20MiB/day`; `unlimited` where nothing is bounded.
    @Override
    public String toString() {
        var words = Arrays.stream(Measure.values())
                .flatMap(measure -> rate(measure).stream().map(rate -> measure.word() + " " + measure.text(rate)))
                .collect(Collectors.joining(", "));
        return words.isEmpty() ? "unlimited" : words;
    }

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
        RUN;

        /// As a policy spells it.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
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
            if (per.word().equals(word)) {
                return per;
            }
        }
        throw Field.refusal(field, text, "an amount and /minute, /hour, /day or /run");
    }
}
