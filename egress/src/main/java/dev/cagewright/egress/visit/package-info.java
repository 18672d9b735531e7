/// Clients at the cage's own desk: start at [DeskVisit], one request from its head to the answer, and [Visitors], how
/// many there may be. Nothing here knows what the desk answers.
@NullMarked
package dev.cagewright.egress.visit;

import org.jspecify.annotations.NullMarked;
