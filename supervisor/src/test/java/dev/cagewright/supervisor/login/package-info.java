@NullMarked
package dev.cagewright.supervisor.login;

import org.jspecify.annotations.NullMarked;
