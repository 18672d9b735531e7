/// No cage at all, for whoever gives isolation up by name: a plain process with an empty environment, a time
/// limit and counted output. Start at [UnisolatedRuntime]. Nothing here confines anything.
@NullMarked
package dev.cagewright.sandbox.unisolated;

import org.jspecify.annotations.NullMarked;
