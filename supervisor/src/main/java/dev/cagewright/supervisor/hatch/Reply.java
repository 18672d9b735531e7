package dev.cagewright.supervisor.hatch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The way back to one who asks: an answer at once, or one that begins and goes on until the connection ends.
/// [#whenGone(Runnable)] is safe for all threads, the rest is for
/// one.
public final class Reply {
    private final OutputStream out;
    private final Deadline deadline;
    private final List<Runnable> whenGone = new ArrayList<>();
    private boolean isBegun;
    private boolean isGone;
    private boolean isOver;

    Reply(OutputStream out, Deadline deadline) {
        this.out = out;
        this.deadline = deadline;
    }

    /// From here on only what is written has a deadline, however long it takes until then.
    public void takesTime() {
        deadline.none();
    }

    /// Says all there is to say.
    ///
    /// @throws IOException if whoever asked is gone or does not read
    public void whole(HatchAnswer answer) throws IOException {
        isBegun = true;
        write(answer.wire());
    }

    /// Begins an answer that has no length: it ends with the connection.
    ///
    /// @param fields of the head, besides those every answer has
    /// @throws IOException if whoever asked is gone or does not read
    public void begin(String contentType, Map<String, String> fields) throws IOException {
        isBegun = true;
        write(HatchAnswer.head(200, contentType, fields, ""));
    }

    /// Goes on.
    ///
    /// @throws IOException if whoever asked is gone or does not read
    public void more(byte[] bytes) throws IOException {
        write(bytes);
    }

    /// Has `action` run once if whoever asked goes away before all is said; at once if that has happened.
    public void whenGone(Runnable action) {
        synchronized (whenGone) {
            if (!isGone) {
                whenGone.add(action);
                return;
            }
        }
        action.run();
    }

    boolean isBegun() {
        return isBegun;
    }

    private void write(byte[] bytes) throws IOException {
        deadline.begin();
        out.write(bytes);
        out.flush();
        deadline.none();
    }

    /// Waits for whoever asked to go away, which is all that comes from them now.
    void watch(InputStream in) {
        try {
            while (in.read() >= 0) {
                if (isDone()) {
                    return;
                }
            }
        } catch (IOException _) {
            gone();
            return;
        }
        gone();
    }

    private boolean isDone() {
        synchronized (whenGone) {
            return isOver;
        }
    }

    private void gone() {
        List<Runnable> actions;
        synchronized (whenGone) {
            if (isGone || isOver) {
                return;
            }
            isGone = true;
            actions = List.copyOf(whenGone);
        }
        actions.forEach(Runnable::run);
    }

    void over() {
        synchronized (whenGone) {
            isOver = true;
        }
    }
}
