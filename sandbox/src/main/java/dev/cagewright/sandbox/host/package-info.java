/// What this host lets the current user do, for `doctor` and for refusals: found out by doing it, each with the
/// remedy that fits this host. Start at [HostProbe]. [HostProgram] is how other modules ask a program of the person's
/// something, a keyring for instance. Nothing here changes the host or weakens a cage.
@NullMarked
package dev.cagewright.sandbox.host;

import org.jspecify.annotations.NullMarked;
