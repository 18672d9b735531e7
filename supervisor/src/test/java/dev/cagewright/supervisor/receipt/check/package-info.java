@NullMarked
package dev.cagewright.supervisor.receipt.check;

import org.jspecify.annotations.NullMarked;
