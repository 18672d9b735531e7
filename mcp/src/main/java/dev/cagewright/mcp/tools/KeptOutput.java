package dev.cagewright.mcp.tools;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// One output of a program: its begin and its end as far as an answer holds them, and each line as it comes. Safe for
/// all threads.
final class KeptOutput extends OutputStream {
    /// The longest line that is told while the program runs, bytes.
    private static final int LONGEST_LINE = 4096;

    /// So many lines are told; then no more.
    private static final int MOST_LINES = 5_000;

    private final int most;
    private final Consumer<String> told;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final byte[] tail;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long written;
    private int lines;

    /// @param most how many bytes are kept: a quarter of them of the begin
    /// @param told hears each line, without its end
    KeptOutput(int most, Consumer<String> told) {
        this.most = most;
        this.told = told;
        this.tail = new byte[most - most / 4];
    }

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        for (int i = from; i < from + count; i++) {
            keep(bytes[i]);
        }
        tell(bytes, from, count);
    }

    private void keep(byte one) {
        if (head.size() < most / 4) {
            head.write(one);
        } else if (tail.length > 0) {
            tail[(int) ((written - head.size()) % tail.length)] = one;
        }
        written++;
    }

    private void tell(byte[] bytes, int from, int count) {
        for (int i = from; i < from + count && lines < MOST_LINES; i++) {
            if (bytes[i] == '\n' || line.size() == LONGEST_LINE) {
                tellLine();
            }
            if (bytes[i] != '\n') {
                line.write(bytes[i]);
            }
        }
    }

    private void tellLine() {
        lines++;
        told.accept(line.toString(StandardCharsets.UTF_8));
        line.reset();
    }

    synchronized long written() {
        return written;
    }

    /// What was kept; what was not is said in its place.
    synchronized Told told() {
        long behind = written - head.size();
        long cut = Math.max(0, behind - tail.length);
        if (cut == 0) {
            var all = new ByteArrayOutputStream();
            all.writeBytes(head.toByteArray());
            all.write(tail, 0, (int) behind);
            return Told.of(ByteString.copyOf(all.toByteArray()));
        }
        var begin = ByteString.copyOf(head.toByteArray());
        var end = end(behind);
        int loose = Told.begun(begin);
        int odd = Told.goneOn(end);
        var first = part(begin, 0, begin.size() - loose).utf8();
        var last = part(end, odd, end.size() - odd).utf8();
        return first.isPresent() && last.isPresent()
                ? new Told(
                        first.get() + "\n[... " + (cut + loose + odd) + " bytes are cut out here ...]\n" + last.get(),
                        Told.UTF_8)
                : Told.binary(begin);
    }

    private ByteString end(long behind) {
        int start = (int) (behind % tail.length);
        var ordered = new ByteArrayOutputStream();
        ordered.write(tail, start, tail.length - start);
        ordered.write(tail, 0, start);
        return ByteString.copyOf(ordered.toByteArray());
    }

    private static ByteString part(ByteString bytes, int from, int count) {
        var part = new byte[count];
        System.arraycopy(bytes.toByteArray(), from, part, 0, count);
        return ByteString.copyOf(part);
    }

    private synchronized long cut() {
        return Math.max(0, written - head.size() - tail.length);
    }

    /// Adds what there is to say about it.
    ///
    /// @param name `stdout` or `stderr`
    void put(JsonObject.Builder json, String name) {
        var text = told();
        json.put(name, text.text())
                .put(name + "_encoding", text.encoding())
                .put(name + "_bytes", written())
                .put(name + "_cut", cut());
    }
}
