@NullMarked
package dev.cagewright.policy.layers;

import org.jspecify.annotations.NullMarked;
