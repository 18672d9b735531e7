package dev.cagewright.egress.inspect.credential;

import java.util.function.Supplier;

/// What is written in base64, also over several lines.
final class Base64Reading implements Reading {
    private final RunReading run;

    Base64Reading(Supplier<Reading> below) {
        this.run = new RunReading(Digits.BASE64, 4, 16, below);
    }

    @Override
    public void accept(int value, long at) {
        if (!run.accept(value, at) && value != '\r' && value != '\n' && run.isInRun()) {
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
