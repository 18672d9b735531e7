@NullMarked
package dev.cagewright.supervisor.ticket;

import org.jspecify.annotations.NullMarked;
