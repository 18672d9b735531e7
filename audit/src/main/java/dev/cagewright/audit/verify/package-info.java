/// Says whether a log is what was written, to somebody who trusts neither the log nor its machine. Start at
/// [LogVerifier] and [Verdict]. Runs alone and in constant memory; only reads.
@NullMarked
package dev.cagewright.audit.verify;

import org.jspecify.annotations.NullMarked;
