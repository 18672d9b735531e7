@NullMarked
package dev.cagewright.supervisor.repository;

import org.jspecify.annotations.NullMarked;
