/// Appends to the audit log, durably, from any number of threads and processes. Start at [AuditLog]; behind it one
/// thread commits whatever waits with one flush ([Committer]) under a lock between processes ([LogLock]). Never
/// rewrites a line, never grows a log that does not verify, never acknowledges what may not survive a crash.
@NullMarked
package dev.cagewright.audit.log;

import org.jspecify.annotations.NullMarked;
