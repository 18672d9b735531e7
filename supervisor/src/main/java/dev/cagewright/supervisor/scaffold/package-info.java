/// Agents that start in a cage by name: data, not code. A [Scaffold] says what runs, under which policy, with which
/// variables and files of its home, and whom it asks for what; [Scaffolds] finds them; [ScaffoldArchive] is one on its
/// way
/// between people; [Installation] finds the agent on the host and what of the host it needs; [AgentHome] is the home
/// that
/// lasts between runs. Start at [Scaffolds].
@NullMarked
package dev.cagewright.supervisor.scaffold;

import org.jspecify.annotations.NullMarked;
