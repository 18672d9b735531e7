/// Real coding agents in the cage of the built product. Start at `tools/agents/agents.py`, which tries them all; the
/// tests
/// here run those that need one package each, without a terminal.
@NullMarked
package dev.cagewright.agents;

import org.jspecify.annotations.NullMarked;
