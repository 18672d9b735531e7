@NullMarked
package dev.cagewright.supervisor.notice;

import org.jspecify.annotations.NullMarked;
