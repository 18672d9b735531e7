package dev.cagewright.supervisor.capture;

import dev.cagewright.egress.capture.Head;
import dev.cagewright.egress.capture.Piece;
import java.util.ArrayDeque;
import java.util.Deque;

/// What waits for the disk, in its order, bounded: contents are turned away first, everything else at four times of
/// that. Safe for all threads; nobody waits but the one who writes.
final class Backlog {
    /// The most that contents may make of it, bytes.
    static final long CONTENT = 16 << 20;

    /// The most of all, bytes.
    static final long MOST = 4 * CONTENT;

    /// What an object costs besides its texts.
    private static final long OVERHEAD = 256;

    private Deque<Piece> waiting = new ArrayDeque<>();
    private long weight;
    private boolean isClosed;

    /// Takes a piece, unless there is no room for it.
    synchronized boolean add(Piece piece) {
        long own = weight(piece);
        if (isClosed || weight + own > (piece instanceof Piece.Content ? CONTENT : MOST)) {
            return false;
        }
        waiting.addLast(piece);
        weight += own;
        notifyAll();
        return true;
    }

    /// Everything that waits, once there is something; empty when it is closed and nothing is left.
    synchronized Deque<Piece> takeAll() throws InterruptedException {
        while (waiting.isEmpty() && !isClosed) {
            wait();
        }
        var all = waiting;
        waiting = new ArrayDeque<>();
        return all;
    }

    /// Makes room for as much as was written.
    synchronized void written(Piece piece) {
        weight -= weight(piece);
    }

    /// Would the head of another request still find room?
    synchronized boolean hasRoom() {
        return weight < MOST / 2;
    }

    /// Takes no more.
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    static long weight(Piece piece) {
        return OVERHEAD
                + switch (piece) {
                    case Piece.Content content -> content.size();
                    case Piece.Asked asked -> weight(asked.head());
                    case Piece.Sent sent -> weight(sent.head());
                    case Piece.Answered answered -> weight(answered.got()) + weight(answered.told());
                    case Piece.Refused refused ->
                        weight(refused.told()) + refused.page().remaining();
                    case Piece.Trailers trailers -> 64L * trailers.fields().size();
                    case Piece.Allowed _, Piece.Ended _ -> 0;
                };
    }

    private static long weight(Head head) {
        return head.fields().stream()
                .mapToLong(field -> 64L + field.name().length() + field.value().length())
                .sum();
    }
}
