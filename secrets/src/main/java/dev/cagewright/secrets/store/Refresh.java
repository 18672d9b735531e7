package dev.cagewright.secrets.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// How a value is had again.
///
/// @param command a program and its arguments; its output, without a line feed at the end, is the value
/// @param lasts how long a value is good; absent means until somebody asks for another
public record Refresh(List<String> command, Optional<Duration> lasts) {
    public Refresh {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the command has no words (expected: a program)");
        }
        lasts.filter(time -> !time.isPositive()).ifPresent(time -> {
            throw new IllegalArgumentException("lasts: " + time + " (expected: positive)");
        });
    }
}
