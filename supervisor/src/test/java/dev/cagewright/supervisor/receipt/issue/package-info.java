@NullMarked
package dev.cagewright.supervisor.receipt.issue;

import org.jspecify.annotations.NullMarked;
