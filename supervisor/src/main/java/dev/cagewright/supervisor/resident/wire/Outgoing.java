package dev.cagewright.supervisor.resident.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/// Writes a stream's bytes as frames of one kind; waits as long as the other side takes nothing. Its end is not told.
public final class Outgoing extends OutputStream {
    private final Line line;
    private final Frame.Kind kind;

    public Outgoing(Line line, Frame.Kind kind) {
        this.line = line;
        this.kind = kind;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        for (int start = from; start < from + count; start += Frame.MOST_BYTES) {
            int end = Math.min(start + Frame.MOST_BYTES, from + count);
            line.write(Frame.of(kind, Arrays.copyOfRange(bytes, start, end)));
        }
    }
}
