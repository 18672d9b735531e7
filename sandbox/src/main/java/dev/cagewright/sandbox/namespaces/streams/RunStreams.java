package dev.cagewright.sandbox.namespaces.streams;

import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.Processes;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What flows between one program and the caller's streams. The inside ends go to the cage, the outside
/// ends belong to the pumps.
public final class RunStreams {
    /// After the program's end, for what others in the cage still write.
    private static final long GRACE_MILLIS = 1_000;

    private final Streams streams;
    private final AtomicLong budget;
    private final EndMark endMark;
    private boolean isOver;
    private final List<Descriptor> inside = new ArrayList<>();
    private final List<OutputPump> pumps = new ArrayList<>();
    private @Nullable Descriptor input;
    private @Nullable Descriptor terminal;

    private RunStreams(Streams streams, long budget, EndMark endMark) {
        this.streams = streams;
        this.budget = new AtomicLong(budget);
        this.endMark = endMark;
    }

    /// Opens the pipes, or nothing yet for a terminal.
    ///
    /// @param outputBytes how much of both outputs together reaches the caller
    public static RunStreams open(Streams streams, long outputBytes) throws KernelException {
        var opened = new RunStreams(streams, outputBytes, EndMark.open());
        if (streams instanceof Streams.Pipes pipes) {
            try {
                opened.openPipes(pipes);
            } catch (KernelException e) {
                opened.abandon();
                throw e;
            }
        }
        return opened;
    }

    private void openPipes(Streams.Pipes pipes) throws KernelException {
        var in = FileControl.pipe();
        inside.add(new Descriptor(in.reading()));
        input = new Descriptor(in.writing());
        if (pipes.isSilent()) {
            input.close();
            input = null;
        }
        var out = FileControl.pipe();
        inside.add(new Descriptor(out.writing()));
        pumps.add(new OutputPump(new Descriptor(out.reading()), pipes.out(), budget, endMark));
        var err = FileControl.pipe();
        inside.add(new Descriptor(err.writing()));
        pumps.add(new OutputPump(new Descriptor(err.reading()), pipes.err(), budget, endMark));
    }

    /// The ends for the program, standard input first; none for a terminal.
    public List<Integer> inside() {
        return inside.stream().map(Descriptor::number).toList();
    }

    /// Do they come from the cage, as a terminal?
    public boolean isTerminal() {
        return streams instanceof Streams.Pty;
    }

    public void closeInside() {
        inside.forEach(Descriptor::close);
    }

    /// Waits for the outputs of a program that has pipes. Before it is started, so that its end is seen with theirs.
    public synchronized void watch(Readiness readiness) {
        pumps.forEach(pump -> pump.watch(readiness));
    }

    /// The terminal of the program, opened in the cage.
    public synchronized void attach(Descriptor master) {
        if (streams instanceof Streams.Pty pty) {
            terminal = master;
            pumps.add(new OutputPump(master, pty.out(), budget, endMark));
        } else {
            master.close();
        }
    }

    /// Carries the caller's input, and a terminal's output.
    public synchronized void pump() throws KernelException {
        var target = input;
        if (terminal != null) {
            target = new Descriptor(FileControl.duplicate(terminal.number()));
            pumps.forEach(OutputPump::start); // from now on a short program's terminal may be closed any time
        }
        if (target != null) {
            InputPump.start(source(), target);
        }
    }

    private InputStream source() {
        return switch (streams) {
            case Streams.Pipes pipes -> pipes.in();
            case Streams.Pty pty -> pty.in();
        };
    }

    /// The program is gone: what is in the pipes now is the rest.
    public synchronized void programEnded() {
        if (isOver) {
            return;
        }
        isOver = true;
        endMark.set();
        pumps.forEach(OutputPump::programEnded);
    }

    /// The program never started. Whoever hears of the cage's end at the same time finds nothing left to do.
    public synchronized void abandon() {
        closeInside();
        if (input != null) {
            input.close();
        }
        pumps.forEach(OutputPump::abandon);
        if (!isOver) {
            isOver = true;
            endMark.close();
        }
    }

    public synchronized void resize(int rows, int columns) {
        if (terminal == null) {
            return;
        }
        try {
            Processes.resize(terminal.number(), rows, columns);
        } catch (KernelException | IllegalStateException _) {
            return; // the terminal is gone, and with it whoever would look at its size
        }
    }

    /// Waits for the pumps, but not for ever: a stuck reader of ours must not hold up the answer.
    public Exit.Output awaitOutput() throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        List<OutputPump> all;
        synchronized (this) {
            all = List.copyOf(pumps);
        }
        for (var pump : all) {
            pump.await(end - System.nanoTime());
        }
        var out = all.isEmpty() ? OutputPump.Count.NOTHING : all.getFirst().count();
        var err = all.size() < 2 ? OutputPump.Count.NOTHING : all.get(1).count();
        return new Exit.Output(out.bytes(), err.bytes(), out.truncated(), err.truncated());
    }
}
