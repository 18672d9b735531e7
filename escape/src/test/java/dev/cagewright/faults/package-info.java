/// What is left when a process of a run is killed at any of its steps, and when the disk or the clock misbehave. Start
/// at [Rounds] and [BadDiskTest]. The product is the packaged one and knows nothing of it: [Stopper] stands below
/// it.
@NullMarked
package dev.cagewright.faults;

import org.jspecify.annotations.NullMarked;
