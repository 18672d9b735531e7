/// Measurements of the product by JMH. Start at [DecisionBench]. Nothing here is shipped.
@NullMarked
package dev.cagewright.bench;

import org.jspecify.annotations.NullMarked;
