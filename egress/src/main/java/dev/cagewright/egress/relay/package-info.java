/// One connection of a cage at a time: whom it is for, what it speaks, and how what it asks is judged, sent
/// and answered. Start at [Listener], which accepts; [FirstBytes] looks at what comes, [HelloDesk] settles
/// TLS, [Conversation] and [Exchange] serve HTTP, [Passing] passes bytes on. Nothing here waits on an event
/// loop.
@NullMarked
package dev.cagewright.egress.relay;

import org.jspecify.annotations.NullMarked;
