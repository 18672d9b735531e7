package dev.cagewright.secrets.redact;

import dev.cagewright.secrets.value.HeldSecret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// What is taken out of what comes back, for the secrets of one session: every spelling of every value, and the same
/// spelling of its decoy, of the same length, in its place. Safe for all threads. Closing it wipes the spellings.
public final class Redaction implements AutoCloseable {
    /// Values of fewer bytes are not looked for: they would be met by chance.
    public static final int LEAST = Patterns.LEAST;

    /// Values of fewer bytes are looked for in heads and in text, not in other bodies.
    public static final int LEAST_IN_BINARY = 16;

    private final Plan text;
    private final Plan binary;

    /// Patterns, and by their numbers what to put in their places, and whose they are.
    record Plan(Patterns patterns, List<byte[]> standIns, List<String> names) {}

    private Redaction(Plan text, Plan binary) {
        this.text = text;
        this.binary = binary;
    }

    /// Takes the spellings of all values.
    public static Redaction of(List<HeldSecret> secrets) {
        boolean hasShort = secrets.stream().anyMatch(secret -> secret.value().length() < LEAST_IN_BINARY);
        var text = plan(secrets, LEAST);
        return new Redaction(text, hasShort ? plan(secrets, LEAST_IN_BINARY) : text);
    }

    private static Plan plan(List<HeldSecret> secrets, int least) {
        var standIns = new TreeMap<byte[], byte[]>(Arrays::compareUnsigned);
        var names = new TreeMap<byte[], String>(Arrays::compareUnsigned);
        for (var secret : secrets) {
            if (secret.value().length() >= least) {
                spell(secret, (spelling, standIn) -> {
                    if (standIns.putIfAbsent(spelling, standIn) == null) {
                        names.put(spelling, secret.name());
                    }
                });
            }
        }
        return new Plan(
                Patterns.of(List.copyOf(standIns.keySet())),
                List.copyOf(standIns.values()),
                List.copyOf(names.values()));
    }

    private static void spell(HeldSecret secret, BiConsumer<byte[], byte[]> take) {
        var decoy = secret.decoy();
        var filler = filler(decoy);
        var others = new ArrayList<byte[]>();
        Spellings.of(standIn(decoy, filler, secret.value().length()), (_, spelling) -> others.add(spelling));
        var spellings = new ArrayList<byte[]>();
        secret.value().lend(value -> {
            Spellings.of(value, (_, spelling) -> spellings.add(spelling));
            return spellings;
        });
        for (int i = 0; i < spellings.size(); i++) {
            int length = spellings.get(i).length;
            take.accept(spellings.get(i), others.get(i).length == length ? others.get(i) : fill(filler, length));
        }
    }

    /// A decoy of the value's length, as it is where it can stand in any text.
    private static byte[] standIn(byte[] decoy, byte[] filler, int length) {
        return decoy.length == length && filler.length == length ? decoy : fill(filler, length);
    }

    /// The letters of the decoy that need no escape anywhere.
    private static byte[] filler(byte[] decoy) {
        var kept = new StringBuilder();
        for (byte each : decoy) {
            if (Character.isLetterOrDigit(each) || each == '-' || each == '_' || each == '.') {
                kept.append((char) each);
            }
        }
        return (kept.isEmpty() ? "decoy" : kept.toString()).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] fill(byte[] filler, int length) {
        var filled = new byte[length];
        for (int i = 0; i < length; i++) {
            filled[i] = filler[i % filler.length];
        }
        return filled;
    }

    /// Is there nothing to look for?
    public boolean isIdle() {
        return text.patterns().size() == 0;
    }

    Plan text() {
        return text;
    }

    Plan binary() {
        return binary;
    }

    /// What a field of a head may say: the same text if there is nothing in it.
    ///
    /// @param field as ISO-8859-1
    public String field(String field) {
        if (field.length() < LEAST) {
            return field;
        }
        var bytes = field.getBytes(StandardCharsets.ISO_8859_1);
        var redactor = new Redactor(text);
        var first = redactor.next(bytes);
        var rest = redactor.end();
        if (redactor.names().isEmpty()) {
            return field;
        }
        return new String(first, StandardCharsets.ISO_8859_1) + new String(rest, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        text.patterns().close();
        binary.patterns().close();
    }

    @Override
    public String toString() {
        return "(redaction of " + text.patterns() + ")";
    }
}
