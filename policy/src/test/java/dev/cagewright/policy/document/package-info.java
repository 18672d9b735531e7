@NullMarked
package dev.cagewright.policy.document;

import org.jspecify.annotations.NullMarked;
