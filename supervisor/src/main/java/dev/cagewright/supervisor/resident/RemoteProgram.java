package dev.cagewright.supervisor.resident;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.resident.wire.Frame;
import dev.cagewright.supervisor.resident.wire.Line;
import dev.cagewright.supervisor.resident.wire.Room;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// A program in a named cage, as whoever asked for it has it. Closing it ends the program, if it still runs. Signals
/// and
/// sizes may come from any thread.
public final class RemoteProgram implements AutoCloseable {
    /// 128 and SIGPIPE: whoever reads its output wants no more.
    private static final int UNREAD = 141;

    /// 128 and SIGHUP: the terminal is gone.
    private static final int HUNG_UP = 129;

    private final Line line;
    private final Streams streams;
    private final Room room = new Room();
    private volatile boolean isHungUp;
    private volatile Runnable stopped = () -> {};
    private volatile Consumer<Question> asked = _ -> {};

    RemoteProgram(Line line, Streams streams) {
        this.line = line;
        this.streams = streams;
    }

    /// Has `told` hear the question that a person has to answer before it starts, on the thread that waits for that.
    public void whenAsked(Consumer<Question> told) {
        asked = told;
    }

    /// Waits until it is about to start.
    ///
    /// @return what a person should hear, each one sentence; or how it ended, when it never started
    /// @throws RefusedException if it does not
    public Started started() throws IOException {
        var frame = next();
        while (frame.kind() == Frame.Kind.TOLD) {
            if (frame.json().member("question").orElse(null) instanceof JsonObject question) {
                asked.accept(Question.parse(question.bytes()));
            }
            frame = next();
        }
        if (frame.kind() == Frame.Kind.END) {
            return new Started.Never(Ends.read(frame.json()));
        }
        var answer = frame.json();
        var refused = RefusedException.read(answer);
        if (refused.isPresent()) {
            throw refused.get();
        }
        return new Started.Starts(Ends.texts(answer, "told"));
    }

    /// What became of the wish.
    public sealed interface Started {
        /// It is about to start.
        ///
        /// @param notices what a person should hear
        record Starts(List<String> notices) implements Started {}

        /// It is over without having started.
        record Never(Ends ends) implements Started {}
    }

    private Frame next() throws IOException {
        return line.read()
                .orElseThrow(() -> new IOException("the background supervisor is gone, and every program of its cages"
                        + " with it (cagewright supervisor status)"));
    }

    /// Carries its streams until it has ended.
    public Ends await() throws IOException {
        Thread.ofPlatform().daemon().name("input").start(this::carryInput);
        try {
            while (true) {
                var frame = next();
                switch (frame.kind()) {
                    case OUT -> {
                        if (!put(out(), frame.bytes())) {
                            return new Ends(UNREAD, List.of());
                        }
                    }
                    case ERR -> put(err(), frame.bytes());
                    case STOPPED -> stopped.run();
                    case ROOM -> room.give(frame.number());
                    case END -> {
                        return Ends.read(frame.json());
                    }
                    case ANSWER, ASK, TOLD, INPUT, INPUT_END, SIZE, SIGNAL ->
                        throw RefusedException.read(frame.json()).orElseThrow(RemoteProgram::unclear);
                }
            }
        } catch (IOException e) {
            if (isHungUp) {
                return new Ends(HUNG_UP, List.of());
            }
            throw e;
        } finally {
            room.end();
        }
    }

    private static IOException unclear() {
        return new IOException(
                "the background supervisor says what makes no sense (cagewright supervisor stop ends it)");
    }

    private OutputStream out() {
        return switch (streams) {
            case Streams.Pipes pipes -> pipes.out();
            case Streams.Pty pty -> pty.out();
        };
    }

    private OutputStream err() {
        return switch (streams) {
            case Streams.Pipes pipes -> pipes.err();
            case Streams.Pty pty -> pty.out();
        };
    }

    private InputStream in() {
        return switch (streams) {
            case Streams.Pipes pipes -> pipes.in();
            case Streams.Pty pty -> pty.in();
        };
    }

    private static boolean put(OutputStream out, byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private void carryInput() {
        var buffer = new byte[Frame.MOST_BYTES];
        try {
            for (int count = read(buffer); count >= 0; count = read(buffer)) {
                if (!carry(buffer, count)) {
                    return;
                }
            }
            end();
        } catch (IOException _) {
            return; // the program has ended
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// A terminal whose keys are all the program's own ends by hanging up alone, and SIGHUP may be ignored (nohup(1)).
    private void end() throws IOException {
        switch (streams) {
            case Streams.Pipes _ -> line.write(Frame.of(Frame.Kind.INPUT_END, new byte[0]));
            case Streams.Pty _ -> {
                isHungUp = true;
                line.close();
            }
        }
    }

    /// Who reads when a terminal hangs up gets an error, who reads later an end: neither hears any more.
    private int read(byte[] buffer) {
        try {
            return in().read(buffer);
        } catch (IOException _) {
            return -1;
        }
    }

    private boolean carry(byte[] buffer, int count) throws IOException, InterruptedException {
        for (int sent = 0; sent < count; ) {
            int now = room.take(count - sent);
            if (now == 0) {
                return false;
            }
            line.write(Frame.of(Frame.Kind.INPUT, Arrays.copyOfRange(buffer, sent, sent + now)));
            sent += now;
        }
        return true;
    }

    /// Has `told` hear each time it has stopped on its terminal, on the thread that carries its output, which it must
    /// not
    /// hold up.
    public void whenStopped(Runnable told) {
        stopped = told;
    }

    /// Nothing happens when it has ended.
    public void resize(int rows, int columns) {
        send(Frame.of(Frame.Kind.SIZE, (rows << 16) | columns));
    }

    /// Nothing happens when it has ended.
    ///
    /// @param signal a number of signal(7), 1 to 64
    public void signal(int signal) {
        send(Frame.of(Frame.Kind.SIGNAL, signal));
    }

    private void send(Frame frame) {
        try {
            line.write(frame);
        } catch (IOException _) {
            return;
        }
    }

    @Override
    public void close() throws IOException {
        room.end();
        line.close();
    }
}
