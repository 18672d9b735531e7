/// The commands: each parses its words, calls one use case, turns the answer into lines and an exit code.
/// Start at [Main] and [ExitCode]. Nothing here decides, confines or writes a log.
@NullMarked
package dev.cagewright.cli;

import org.jspecify.annotations.NullMarked;
