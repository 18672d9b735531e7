/// What a cage is told of itself, and how it asks for more: the answers at `cagewright.internal`. Start at
/// [dev.cagewright.supervisor.desk.SessionDesk], which reads requests, and [dev.cagewright.supervisor.desk.Recall],
/// what
/// a session decided lately. Nothing here decides or grants anything: grants are
/// [dev.cagewright.supervisor.grant.GrantDesk]'s.
@NullMarked
package dev.cagewright.supervisor.desk;

import org.jspecify.annotations.NullMarked;
