package dev.cagewright.policy.document;

import dev.cagewright.policy.quantity.ByteSize;
import dev.cagewright.policy.quantity.Count;
import dev.cagewright.policy.quantity.Field;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/// `inspect`: what is looked for in opened traffic. What is absent is no opinion; [#REACTIONS] says what holds when
/// nobody has one.
///
/// @param secrets what happens when something written like a credential leaves
/// @param encoded the same for one that is encoded; absent means as `secrets`
/// @param auth the same for one in a field that is made for credentials, such as `Authorization`
/// @param entropy what happens to bodies that look like noise
/// @param types what happens to bodies that are not what they say they are
/// @param bombs what happens to bodies that expand out of all proportion
/// @param dns what happens to names that look as if they carried data
/// @param fetchTools what happens to requests that have a provider fetch for the cage
/// @param bodyMax the most of a body that is looked at; absent means all of it
/// @param custom jars with inspectors, by their absolute paths on the host
/// @param decoys what happens to a run whose decoy is used where its secret may not go
public record InspectSection(
        Optional<Reaction> secrets,
        Optional<Reaction> encoded,
        Optional<Reaction> auth,
        Optional<Entropy> entropy,
        Optional<Reaction> types,
        Optional<Reaction> bombs,
        Optional<Reaction> dns,
        Optional<Reaction> fetchTools,
        Optional<ByteSize> bodyMax,
        Optional<List<String>> custom,
        Optional<Misuse> decoys) {

    /// No opinion about anything.
    public static final InspectSection SILENT = new InspectSection(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /// The keys that have nothing but a reaction.
    public static final List<Key> REACTIONS = List.of(
            new Key("secrets", InspectSection::secrets, Reaction.FLAG),
            new Key("encoded", section -> section.encoded().or(section::secrets), Reaction.FLAG),
            new Key("auth", InspectSection::auth, Reaction.FLAG),
            new Key("types", InspectSection::types, Reaction.OFF),
            new Key("bombs", InspectSection::bombs, Reaction.OFF),
            new Key("dns", InspectSection::dns, Reaction.FLAG),
            new Key("fetch_tools", InspectSection::fetchTools, Reaction.FLAG));

    /// A key and what holds under it.
    ///
    /// @param said what a section says of it
    /// @param silent what holds when nobody says anything
    public record Key(String name, Function<InspectSection, Optional<Reaction>> said, Reaction silent) {
        public Reaction in(InspectSection section) {
            return said.apply(section).orElse(silent);
        }
    }

    public InspectSection {
        custom = custom.map(List::copyOf);
    }

    /// What holds where both have something to say: of each, the stricter.
    public InspectSection and(InspectSection other) {
        return new InspectSection(
                stricter(secrets, other.secrets),
                stricter(encoded.or(() -> secrets), other.encoded.or(other::secrets)),
                stricter(auth, other.auth),
                either(entropy, other.entropy, Entropy::and),
                stricter(types, other.types),
                stricter(bombs, other.bombs),
                stricter(dns, other.dns),
                stricter(fetchTools, other.fetchTools),
                either(bodyMax, other.bodyMax, BinaryOperator.minBy(Comparator.naturalOrder())),
                either(custom, other.custom, InspectSection::united),
                either(decoys, other.decoys, BinaryOperator.maxBy(Comparator.naturalOrder())));
    }

    private static Optional<Reaction> stricter(Optional<Reaction> one, Optional<Reaction> other) {
        return either(one, other, BinaryOperator.maxBy(Comparator.naturalOrder()));
    }

    private static <T> Optional<T> either(Optional<T> one, Optional<T> other, BinaryOperator<T> both) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(both.apply(one.get(), other.get()))
                : one.or(() -> other);
    }

    private static List<String> united(List<String> one, List<String> other) {
        return Stream.concat(one.stream(), other.stream()).distinct().toList();
    }

    /// Would it end a message that nobody could look at?
    public boolean blocksBodies() {
        return REACTIONS.stream()
                        .filter(key -> !key.name().equals("auth") && !key.name().equals("dns"))
                        .anyMatch(key -> key.in(this) == Reaction.BLOCK)
                || entropy.filter(noise -> noise.then() == Reaction.BLOCK).isPresent()
                || !custom.orElse(List.of()).isEmpty();
    }

    /// An absolute path of a jar on the host.
    ///
    /// @throws IllegalArgumentException naming `field`
    public static String jar(String field, String text) {
        return Field.hostFile(field, text, "a jar");
    }

    /// What happens when a decoy is used elsewhere; the request is refused in any case. The order is the order of
    /// strictness.
    public enum Misuse {
        /// Nothing more.
        BLOCK,
        /// All of the run's processes stand still.
        PAUSE;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Misuse parse(String field, String text) {
            return switch (text) {
                case "block" -> BLOCK;
                case "pause" -> PAUSE;
                default -> throw Field.refusal(field, text, "block or pause");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The order is the order of strictness.
    public enum Reaction {
        OFF,
        FLAG,
        BLOCK;

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted names
        public static Reaction parse(String field, String text) {
            return switch (text) {
                case "off" -> OFF;
                case "flag" -> FLAG;
                case "block" -> BLOCK;
                default -> throw Field.refusal(field, text, "off, flag or block");
            };
        }

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// When a body looks like noise.
    ///
    /// @param above bits per byte, 0 to 8
    /// @param from the shortest body, in bytes, that is measured
    public record Entropy(BigDecimal above, Count from, Reaction then) {
        public Entropy {
            requireBits("inspect.entropy.above", above.toPlainString(), above);
        }

        Entropy and(Entropy other) {
            return new Entropy(
                    above.min(other.above),
                    from.compareTo(other.from) <= 0 ? from : other.from,
                    then.compareTo(other.then) >= 0 ? then : other.then);
        }

        /// E.g. `above 7.2 from 256 then flag`.
        @Override
        public String toString() {
            return "above " + above.toPlainString() + " from " + from + " then " + then.word();
        }

        /// Reads one of the accepted spellings.
        ///
        /// @throws IllegalArgumentException naming `field` and the accepted forms
        public static BigDecimal parseBits(String field, String text) {
            if (!text.matches("[0-8](\\.[0-9]{1,3})?")) {
                throw Field.refusal(field, text, "bits per byte from 0 to 8 with at most three places, e.g. 7.2");
            }
            var bits = new BigDecimal(text);
            requireBits(field, text, bits);
            return bits;
        }

        private static void requireBits(String field, String text, BigDecimal bits) {
            if (bits.signum() < 0 || bits.compareTo(BigDecimal.valueOf(8)) > 0) {
                throw Field.refusal(field, text, "bits per byte from 0 to 8 with at most three places, e.g. 7.2");
            }
        }
    }
}
