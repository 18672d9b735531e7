/// Authenticates a log with keys that only go forward: each is a one-way function of the one before, which is then
/// erased. Start at [SealWalker], which holds a log to its seals, and [Epoch], which makes them; [SealFile] keeps the
/// next key. Nothing here writes to the log, and no key of the past is kept.
@NullMarked
package dev.cagewright.audit.seal;

import org.jspecify.annotations.NullMarked;
