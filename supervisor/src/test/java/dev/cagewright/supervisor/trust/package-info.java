@NullMarked
package dev.cagewright.supervisor.trust;

import org.jspecify.annotations.NullMarked;
