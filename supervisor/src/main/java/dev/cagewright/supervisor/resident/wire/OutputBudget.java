package dev.cagewright.supervisor.resident.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/// How much a program may write to whoever started it, its outputs together. Safe for all threads.
public final class OutputBudget {
    private final AtomicLong left;

    /// A budget of `most` bytes.
    public OutputBudget(long most) {
        this.left = new AtomicLong(most);
    }

    /// `out`, as long as there is something left; then its writes fail, and the runtime drops the rest and says so.
    public OutputStream over(OutputStream out) {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                long before = left.getAndUpdate(now -> now - Math.min(now, count));
                out.write(bytes, from, (int) Math.min(before, count));
                if (before < count) {
                    throw new IOException("it wrote more than it may");
                }
            }

            @Override
            public void flush() throws IOException {
                out.flush();
            }
        };
    }
}
