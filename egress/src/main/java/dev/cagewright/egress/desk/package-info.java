/// What a cage may ask of its gateway itself, at the name `cagewright.internal`: start at [PolicyDesk], the port that
/// somebody else answers by. Nothing here decides, reads a socket or leaves this machine.
@NullMarked
package dev.cagewright.egress.desk;

import org.jspecify.annotations.NullMarked;
