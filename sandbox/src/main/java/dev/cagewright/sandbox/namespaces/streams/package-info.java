/// What flows between a program and its caller: always drained, counted, bounded. Start at [RunStreams].
/// Nothing here knows how a program was started or why it ended.
@NullMarked
package dev.cagewright.sandbox.namespaces.streams;

import org.jspecify.annotations.NullMarked;
