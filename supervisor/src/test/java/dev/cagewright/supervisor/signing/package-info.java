@NullMarked
package dev.cagewright.supervisor.signing;

import org.jspecify.annotations.NullMarked;
