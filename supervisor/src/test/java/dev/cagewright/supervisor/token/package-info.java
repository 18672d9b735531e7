@NullMarked
package dev.cagewright.supervisor.token;

import org.jspecify.annotations.NullMarked;
