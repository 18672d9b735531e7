/// What the audit log has, for whoever looks one thing up: a decision by its id, or events by what they are about.
/// Start
/// at [RecordedLines]. Nothing here decides, and nothing writes.
@NullMarked
package dev.cagewright.supervisor.recorded;

import org.jspecify.annotations.NullMarked;
