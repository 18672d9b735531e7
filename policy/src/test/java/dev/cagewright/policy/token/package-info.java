@NullMarked
package dev.cagewright.policy.token;

import org.jspecify.annotations.NullMarked;
