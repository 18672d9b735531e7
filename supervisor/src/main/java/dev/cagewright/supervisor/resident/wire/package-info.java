/// What the background supervisor and the commands that ask it say to each other over a unix socket: frames with a
/// length, a question first, then the bytes of a program. Start at [Line] and [Frame]. Knows nothing of cages.
@NullMarked
package dev.cagewright.supervisor.resident.wire;

import org.jspecify.annotations.NullMarked;
