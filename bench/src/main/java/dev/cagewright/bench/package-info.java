/// Measurements of the product by JMH. Start at [DecisionBench] and [AppendBench]. Nothing here is shipped.
@NullMarked
package dev.cagewright.bench;

import org.jspecify.annotations.NullMarked;
