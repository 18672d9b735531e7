@NullMarked
package dev.cagewright.policy.argv;

import org.jspecify.annotations.NullMarked;
