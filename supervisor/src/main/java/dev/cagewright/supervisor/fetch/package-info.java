/// One request that the host makes under a session's terms. Start at [HostFetch]. It opens a door of the session's
/// gateway on the host and speaks to that; there is no other way out here.
@NullMarked
package dev.cagewright.supervisor.fetch;

import org.jspecify.annotations.NullMarked;
