/// Grants while a session lives: what may be asked for, who gives it, what holds now. Start at
/// [dev.cagewright.supervisor.grant.GrantDesk]. What a grant means is decided in `policy.grant`; nothing here is
/// reachable from a cage but by the desk.
@NullMarked
package dev.cagewright.supervisor.grant;

import org.jspecify.annotations.NullMarked;
