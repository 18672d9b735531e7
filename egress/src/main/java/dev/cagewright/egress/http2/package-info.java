/// HTTP/2 on both sides, one stream at a time as HTTP/1's message objects: [ServerStreams] for the cage's
/// clients, [ClientStreams] for origins. [StreamGuard] refuses what cannot be said in HTTP/1 in one way only.
/// Nothing here decides.
@NullMarked
package dev.cagewright.egress.http2;

import org.jspecify.annotations.NullMarked;
