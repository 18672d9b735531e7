package dev.cagewright.supervisor.schema;

/// What one look at a value may cost. For one thread.
final class Work {
    private static final int MOST_STEPS = 200_000;
    private static final int DEEPEST = 200;

    private int steps;
    private int depth;

    /// The value cannot be judged at such a cost.
    static final class TooMuchException extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooMuchException(String why) {
            super(why);
        }
    }

    void step() {
        if (++steps > MOST_STEPS) {
            throw new TooMuchException("takes too long to be judged");
        }
    }

    void enter() {
        step();
        if (++depth > DEEPEST) {
            throw new TooMuchException("the schema refers to itself without end, or nests too deep");
        }
    }

    void leave() {
        depth--;
    }
}
