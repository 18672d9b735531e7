/// Measurements of the product. Start at [SpawnBench], [DecisionBench] and [AppendBench]; [Report] writes what came
/// out.
@NullMarked
package dev.cagewright.bench;

import org.jspecify.annotations.NullMarked;
