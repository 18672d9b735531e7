@NullMarked
package dev.cagewright.policy.match;

import org.jspecify.annotations.NullMarked;
