/// Requests that the host itself makes, by the same door as a cage's. Start at [HostClient]: it speaks to a socket of
/// the gateway's, which judges, records, verifies and counts as it does for a cage. Nothing here reaches an origin.
@NullMarked
package dev.cagewright.egress.here;

import org.jspecify.annotations.NullMarked;
