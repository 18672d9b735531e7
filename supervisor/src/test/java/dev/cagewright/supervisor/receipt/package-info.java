@NullMarked
package dev.cagewright.supervisor.receipt;

import org.jspecify.annotations.NullMarked;
