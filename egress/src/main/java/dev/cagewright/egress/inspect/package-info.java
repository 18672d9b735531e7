/// Looks into what passes: a chain of inspectors behind one interface, each of which allows, flags or blocks. Start at
/// [Inspector], what one has to do, and [Inspection], a cage's chain; [Examination] is the chain at one message.
/// Knows no socket and no thread: whoever has bytes hands them over, off the event loop.
@NullMarked
package dev.cagewright.egress.inspect;

import org.jspecify.annotations.NullMarked;
