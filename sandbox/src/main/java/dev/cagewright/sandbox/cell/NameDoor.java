package dev.cagewright.sandbox.cell;

import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Descriptor;
import dev.cagewright.sandbox.NetCell;
import dev.cagewright.sandbox.kernel.DatagramSocketCalls;
import dev.cagewright.sandbox.kernel.FileControl;
import dev.cagewright.sandbox.kernel.KernelException;
import dev.cagewright.sandbox.kernel.Polling;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// The door for the questions that a cage sends to port 53, on UDP: every one is handed to whoever answers,
/// and the answer leaves from the address that was asked. It owns the cell's datagram sockets and one thread;
/// answers are made on virtual threads, at most [#MOST_AT_ONCE] of them, and a question beyond that is
/// dropped, as a network would. Closing it ends all of that. Safe for all threads.
public final class NameDoor implements AutoCloseable {
    /// The longest question and answer, in bytes.
    public static final int MAX_DATAGRAM = 4096;

    static final int MOST_AT_ONCE = 256;

    private final List<Descriptor> sockets;
    private final Descriptor wake;
    private final Answerer answerer;
    private final ExecutorService answering = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore free = new Semaphore(MOST_AT_ONCE);
    private final Thread thread;

    /// Who answers. May block; called on many threads.
    @FunctionalInterface
    public interface Answerer {
        /// The answer's bytes; empty when there is to be none.
        Optional<byte[]> answer(byte[] question);
    }

    private NameDoor(List<Descriptor> sockets, Descriptor wake, Answerer answerer) {
        this.sockets = sockets;
        this.wake = wake;
        this.answerer = answerer;
        this.thread = Thread.ofPlatform().daemon().name("cage-names").unstarted(this::serve);
    }

    /// Takes the datagram sockets of `cell` over and serves them until it is closed.
    ///
    /// @throws ConfinementException if this process may not open more files
    public static NameDoor open(NetCell cell, Answerer answerer) throws ConfinementException {
        try {
            var wake = new Descriptor(FileControl.eventCounter());
            var sockets = new ArrayList<Descriptor>();
            sockets.add(new Descriptor(cell.dns4().detach()));
            cell.dns6().ifPresent(socket -> sockets.add(new Descriptor(socket.detach())));
            var door = new NameDoor(List.copyOf(sockets), wake, answerer);
            door.thread.start();
            return door;
        } catch (KernelException e) {
            var refusal =
                    new ConfinementException("net", e.call(), e.reason(), "raise the limit of open files (ulimit -n)");
            refusal.initCause(e);
            throw refusal;
        }
    }

    private void serve() {
        var watched = new ArrayList<Integer>();
        var calls = new ArrayList<DatagramSocketCalls>();
        for (var socket : sockets) {
            watched.add(socket.number());
            calls.add(new DatagramSocketCalls(socket.number(), MAX_DATAGRAM));
        }
        watched.add(wake.number());
        try {
            boolean isOpen = true;
            while (isOpen) {
                isOpen = serveReady(Polling.readable(watched, Polling.FOREVER), calls);
            }
        } catch (KernelException _) {
            // the sockets are broken: nobody is answered any more
        } finally {
            answering.shutdownNow();
            answering.close();
            calls.forEach(DatagramSocketCalls::close);
            sockets.forEach(Descriptor::close);
            wake.close();
        }
    }

    /// @return false when the door is to be closed
    private boolean serveReady(boolean[] ready, List<DatagramSocketCalls> calls) {
        for (int i = 0; i < calls.size(); i++) {
            if (ready[i]) {
                take(calls.get(i), sockets.get(i).number());
            }
        }
        return !ready[calls.size()];
    }

    private void take(DatagramSocketCalls calls, int socket) {
        try {
            calls.receive().filter(_ -> free.tryAcquire()).ifPresent(question -> answer(socket, question));
        } catch (KernelException _) {
            // an error of an earlier answer is reported here, and concerns nobody
        }
    }

    private void answer(int socket, DatagramSocketCalls.Received question) {
        answering.execute(() -> {
            try {
                answerer.answer(question.bytes().toByteArray())
                        .filter(bytes -> bytes.length <= MAX_DATAGRAM)
                        .ifPresent(bytes -> send(socket, bytes, question.reply()));
            } finally {
                free.release();
            }
        });
    }

    private static void send(int socket, byte[] bytes, DatagramSocketCalls.Reply reply) {
        try {
            DatagramSocketCalls.send(socket, bytes, reply);
        } catch (KernelException _) {
            // whoever asked is gone, or asks again
        }
    }

    /// When it returns, the sockets are closed.
    @Override
    public void close() {
        boolean interrupted = false;
        try (var arena = Arena.ofConfined()) {
            if (thread.isAlive()) {
                FileControl.writeFully(wake.number(), arena.allocateFrom(ValueLayout.JAVA_LONG, 1));
            }
        } catch (KernelException | IllegalStateException _) {
            // it has ended by itself
        }
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
