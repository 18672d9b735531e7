@NullMarked
package dev.cagewright.policy.quantity;

import org.jspecify.annotations.NullMarked;
