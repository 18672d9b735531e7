package dev.cagewright.egress.inspect.credential;

import java.util.function.Supplier;

/// What is written in hexadecimal digits.
final class HexReading implements Reading {
    private final RunReading run;

    HexReading(Supplier<Reading> below) {
        this.run = new RunReading(Digits.HEX, 2, 32, below);
    }

    @Override
    public void accept(int value, long at) {
        if (!run.accept(value, at) && run.isInRun()) {
            run.end();
        }
    }

    @Override
    public void pause() {
        run.pause();
    }

    @Override
    public void end() {
        run.end();
    }

    @Override
    public long heldFrom() {
        return run.heldFrom();
    }

    @Override
    public long steps() {
        return run.steps();
    }
}
