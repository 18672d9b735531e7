/// The names of a cage: a pure function from a DNS query to its answer, with no socket and no look-up. Start at
/// [NameServer] and its port [Names]; [TcpNames] carries the messages over TCP. An allowed name is answered with a
/// synthetic address, another one with the sinkhole; no question is ever passed on, for the question itself carries
/// data
/// out.
@NullMarked
package dev.cagewright.egress.dns;

import org.jspecify.annotations.NullMarked;
