/// A policy document, compiled to answer actions. Start at [CompiledPolicy] and [Explanation]: both are the same
/// code, so what is explained is what is decided. Also here: what a change of a policy changes ([PolicyDiff]) and
/// whether an isolation is strong enough ([IsolationCheck]). Nothing here acts, asks or records.
@NullMarked
package dev.cagewright.policy.engine;

import org.jspecify.annotations.NullMarked;
