@NullMarked
package dev.cagewright.supervisor.counter;

import org.jspecify.annotations.NullMarked;
