/// What one line of the audit log says and how its bytes are made. Start at [Event], which goes in, and [LogLine],
/// which comes out; [LineFormat] is the only place that knows the bytes. Nothing here does I/O.
@NullMarked
package dev.cagewright.audit.event;

import org.jspecify.annotations.NullMarked;
