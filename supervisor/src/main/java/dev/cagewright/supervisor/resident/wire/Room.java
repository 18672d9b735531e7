package dev.cagewright.supervisor.resident.wire;

/// How much of a program's input the other side has room for. Safe for all threads.
public final class Room {
    private int left = Incoming.ROOM;
    private boolean isOver;

    /// Waits until there is some.
    ///
    /// @param wanted at least 1
    /// @return at most `wanted`; 0 when nobody wants any more
    public synchronized int take(int wanted) throws InterruptedException {
        while (left == 0 && !isOver) {
            wait();
        }
        if (isOver) {
            return 0;
        }
        int taken = Math.min(wanted, left);
        left -= taken;
        return taken;
    }

    /// There is more.
    public synchronized void give(int more) {
        left = (int) Math.min(Incoming.ROOM, (long) left + Math.max(0, more));
        notifyAll();
    }

    /// Nobody wants any more.
    public synchronized void end() {
        isOver = true;
        notifyAll();
    }
}
