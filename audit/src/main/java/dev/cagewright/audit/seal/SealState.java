package dev.cagewright.audit.seal;

import dev.cagewright.audit.key.SealKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What lies beside a sealed log: the next epoch's key, and what is known of the epochs before it. Wiped when closed.
///
/// The text form is that of `docs/audit-format.md`; its sum makes a state that was cut an error, never a smaller state.
public final class SealState implements AutoCloseable {
    /// How many writers may have one log open at once.
    public static final int MAX_OPEN = 3000;

    private static final String NUMBER = "(0|[1-9][0-9]{0,17})";
    private static final String KEY_LINE = "\nkey ";
    private static final int SUM_LINE = 4 + 64 + 1;
    private static final int KEY_DIGITS = 2 * Hmac.LENGTH;
    private static final Pattern BEFORE_KEY = Pattern.compile(
            "cagewright audit seal state v1\nlog ([0-9a-f]{32})\nserial " + NUMBER + "\nepoch " + NUMBER + KEY_LINE);
    private static final Pattern BEHIND_KEY =
            Pattern.compile("\nopen ([0-9 ]+|-)\nclosed (?:-|" + NUMBER + " " + NUMBER + ")\nsum ([0-9a-f]{64})\n");
    private static final Pattern EPOCH = Pattern.compile(NUMBER);

    private final String log;
    private final long serial;
    private final EpochKey key;
    private final List<Long> open;
    private final List<Long> closed;

    /// @param open ascending
    /// @param closed epoch and step of the last end, or nothing
    private SealState(String log, long serial, EpochKey key, List<Long> open, List<Long> closed) {
        this.log = log;
        this.serial = serial;
        this.key = key;
        this.open = List.copyOf(open);
        this.closed = List.copyOf(closed);
    }

    /// The state of a log whose sealing begins with `first`: its key is never stored.
    public static SealState after(SealKey first, String log) {
        try (var epoch = EpochKey.first(first)) {
            return new SealState(log, 1, epoch.next(), List.of(0L), List.of());
        }
    }

    /// Epoch 0 of a log that [#after] is the state for.
    public static Epoch firstEpoch(SealKey first) {
        try (var epoch = EpochKey.first(first)) {
            return new Epoch(epoch);
        }
    }

    /// The epoch whose key this holds: it may begin.
    public Epoch epoch() {
        return new Epoch(key);
    }

    /// When this one's epoch has begun.
    ///
    /// @param over epochs whose writers are gone
    /// @throws IOException if too many writers have the log open
    public SealState begun(List<Long> over) throws IOException {
        var still = new TreeSet<>(open);
        over.forEach(still::remove);
        still.add(key.epoch());
        if (still.size() > MAX_OPEN) {
            throw new IOException("more than " + MAX_OPEN + " writers have the audit log open");
        }
        return new SealState(log, serial + 1, key.next(), List.copyOf(still), closed);
    }

    /// When `epoch` has had its last seal.
    public SealState ended(Epoch epoch) {
        var still = new ArrayList<>(open);
        still.remove(epoch.number());
        return new SealState(log, serial + 1, key.copy(), still, List.of(epoch.number(), epoch.lastStep()));
    }

    /// The log's id.
    public String log() {
        return log;
    }

    /// Which epoch may begin next: so many have begun.
    public long next() {
        return key.epoch();
    }

    /// Epochs that have no end yet, as far as this state knows.
    public List<Long> open() {
        return open;
    }

    /// Whether no writer ever closed the log, its sealing included.
    public boolean isUnfinished() {
        return closed.isEmpty();
    }

    long serial() {
        return serial;
    }

    EpochKey key() {
        return key;
    }

    /// The epoch that ended last, or -1.
    public long endedEpoch() {
        return closed.isEmpty() ? -1 : closed.getFirst();
    }

    /// The step with which it ended, or -1.
    public long endedStep() {
        return closed.isEmpty() ? -1 : closed.getLast();
    }

    /// Writes the text to `place`. Returns its length.
    int write(byte[] place) {
        var head = "cagewright audit seal state v1\nlog " + log + "\nserial " + serial + "\nepoch " + key.epoch()
                + KEY_LINE;
        var tail = "\nopen " + numbers(open) + "\nclosed " + numbers(closed) + "\nsum ";
        int at = put(place, 0, head);
        key.write(place, at);
        at = put(place, at + KEY_DIGITS, tail);
        var sum = sum(place, at - 4);
        return put(place, at, sum + "\n");
    }

    /// Reads a place, or null if it holds no whole state.
    static @Nullable SealState readOrNull(byte[] place) {
        int length = 0;
        while (length < place.length && place[length] != 0) {
            length++;
        }
        int keyAt = keyAt(place, length);
        if (keyAt < 0) {
            return null;
        }
        var head = BEFORE_KEY.matcher(text(place, 0, keyAt));
        var tail = BEHIND_KEY.matcher(text(place, keyAt + KEY_DIGITS, length));
        boolean whole = head.matches()
                && tail.matches()
                && sum(place, length - SUM_LINE).equals(tail.group(4));
        return whole ? of(head, tail, place, keyAt) : null;
    }

    private static SealState of(Matcher head, Matcher tail, byte[] place, int keyAt) {
        var key = new byte[Hmac.LENGTH];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) (HexFormat.fromHexDigit(place[keyAt + 2 * i]) << 4
                    | HexFormat.fromHexDigit(place[keyAt + 2 * i + 1]));
        }
        var open = EPOCH.matcher(tail.group(1))
                .results()
                .map(epoch -> Long.valueOf(epoch.group()))
                .toList();
        var closed = tail.group(2) == null
                ? List.<Long>of()
                : List.of(Long.valueOf(tail.group(2)), Long.valueOf(tail.group(3)));
        var epochKey = new EpochKey(Long.parseLong(head.group(3)), key);
        return new SealState(head.group(1), Long.parseLong(head.group(2)), epochKey, open, closed);
    }

    private static int keyAt(byte[] place, int length) {
        var word = EpochKey.ascii(KEY_LINE);
        for (int at = 0; at + word.length + KEY_DIGITS <= length; at++) {
            if (Arrays.equals(place, at, at + word.length, word, 0, word.length)) {
                int from = at + word.length;
                for (int i = from; i < from + KEY_DIGITS; i++) {
                    if (!HexFormat.isHexDigit(place[i])) {
                        return -1;
                    }
                }
                return from;
            }
        }
        return -1;
    }

    private static String text(byte[] place, int from, int to) {
        return new String(place, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static String sum(byte[] place, int length) {
        MessageDigest sha = Hmac.sha256();
        sha.update(place, 0, length);
        return HexFormat.of().formatHex(sha.digest());
    }

    private static int put(byte[] place, int at, String text) {
        var bytes = EpochKey.ascii(text);
        System.arraycopy(bytes, 0, place, at, bytes.length);
        return at + bytes.length;
    }

    private static String numbers(List<Long> numbers) {
        return numbers.isEmpty()
                ? "-"
                : String.join(" ", numbers.stream().map(String::valueOf).toList());
    }

    @Override
    public void close() {
        key.close();
    }
}
