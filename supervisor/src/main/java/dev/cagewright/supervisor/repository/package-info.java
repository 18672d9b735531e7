/// Git in a cage: what the workload changes in a repository's configuration goes to a copy of its own, and the
/// harmless part of that to the host when the run is over. Start at [OwnConfigs]. Runs no git, and believes nothing
/// that a workload wrote.
@NullMarked
package dev.cagewright.supervisor.repository;

import org.jspecify.annotations.NullMarked;
