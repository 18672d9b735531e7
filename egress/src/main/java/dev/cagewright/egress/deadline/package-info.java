/// How long things may take: [Deadlines] says it, a [Watchdog] looks after one of them.
@NullMarked
package dev.cagewright.egress.deadline;

import org.jspecify.annotations.NullMarked;
