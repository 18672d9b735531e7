/// One act on one file in a cage, by the cage's own kernel confinement: what the act may is what every program there
/// may. Start at [FileAct] and [dev.cagewright.sandbox.Cage#act]. Nothing here follows a link or judges a path.
@NullMarked
package dev.cagewright.sandbox.act;

import org.jspecify.annotations.NullMarked;
