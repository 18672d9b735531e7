package dev.cagewright.mcp.guest;

import dev.cagewright.mcp.offer.Caller;
import java.util.OptionalDouble;

/// Whoever asks on nobody's behalf: hears nothing of progress and log, and answers nothing.
interface Nobody extends Caller {
    @Override
    default void progress(double done, OptionalDouble total, String what) {}

    @Override
    default void log(String level, String logger, String line) {}
}
