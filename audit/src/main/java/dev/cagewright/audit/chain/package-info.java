/// Walks a log line by line and holds what must be true of it. Start at [ChainWalker]; [LineScanner] finds the lines
/// in a file. Writer and verifier share this code. Never writes.
@NullMarked
package dev.cagewright.audit.chain;

import org.jspecify.annotations.NullMarked;
