/// What the workload finds in its environment: nothing, and then a list. Start at [CageEnvironment] and
/// [CallerEnvironment]. Values are bytes and are never printed; a name that could choose what an allowed
/// program loads or runs, or that looks like a secret, is left out and told, also when the policy lists it.
@NullMarked
package dev.cagewright.sandbox.environment;

import org.jspecify.annotations.NullMarked;
