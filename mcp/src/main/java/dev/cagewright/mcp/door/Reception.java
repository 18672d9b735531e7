package dev.cagewright.mcp.door;

import dev.cagewright.mcp.offer.Offer;
import java.util.concurrent.Semaphore;

/// What all clients of one server share: the offer behind the door, the places for requests under way, and the calls
/// that wait for a client's word. Safe for all threads.
public final class Reception implements AutoCloseable {
    /// How many requests are worked on at once, over all clients.
    public static final int MOST_UNDER_WAY = 1024;

    private final Offer offer;
    private final Faults faults;
    private final Semaphore places = new Semaphore(MOST_UNDER_WAY);
    private final ParkedCalls parked = new ParkedCalls();

    public Reception(Offer offer, Faults faults) {
        this.offer = offer;
        this.faults = faults;
    }

    public Offer offer() {
        return offer;
    }

    Faults faults() {
        return faults;
    }

    Semaphore places() {
        return places;
    }

    ParkedCalls parked() {
        return parked;
    }

    /// Ends the calls whose clients would come again.
    @Override
    public void close() {
        parked.close();
    }
}
