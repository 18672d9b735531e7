/// `cagewright scaffold ...`: the agents that start in a cage by name.
@NullMarked
package dev.cagewright.cli.scaffold;

import org.jspecify.annotations.NullMarked;
