/// A small HTTP/1.1 server for programs of this machine, on a unix socket or on loopback: one request a connection,
/// everything bounded, one spelling of each thing. Start at [Hatch]; a [Clerk] answers. A [Reception] takes the
/// connections, also for whoever speaks something else. Nothing here knows what is
/// asked, and nothing here speaks to another machine.
@NullMarked
package dev.cagewright.supervisor.hatch;

import org.jspecify.annotations.NullMarked;
