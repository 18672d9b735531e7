@NullMarked
package dev.cagewright.policy.property;

import org.jspecify.annotations.NullMarked;
