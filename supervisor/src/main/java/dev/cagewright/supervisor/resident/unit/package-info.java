/// The background supervisor as a unit of the person's systemd, where there is one. Start at [SystemdUnit]. Whatever
/// runs
/// is started by systemd, and not here.
@NullMarked
package dev.cagewright.supervisor.resident.unit;

import org.jspecify.annotations.NullMarked;
