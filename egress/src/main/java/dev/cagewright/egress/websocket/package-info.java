/// WebSockets on their way: start at [FrameReader], which reads frames out of bytes that pass, and [GuardedSocket],
/// which holds messages until the inspectors have seen them and frames them anew. Knows no handshake.
@NullMarked
package dev.cagewright.egress.websocket;

import org.jspecify.annotations.NullMarked;
