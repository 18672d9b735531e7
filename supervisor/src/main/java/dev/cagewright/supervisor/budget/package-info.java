/// How much of the network cages have used, counted so that parallel requests, runs at once and killed supervisors
/// never use more than a policy says. Start at [PolicyBudgets], what a cage's gateway asks, and [Meters], which keeps
/// the counts. Nothing here decides what is allowed.
@NullMarked
package dev.cagewright.supervisor.budget;

import org.jspecify.annotations.NullMarked;
