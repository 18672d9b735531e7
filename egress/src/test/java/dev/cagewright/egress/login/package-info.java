@NullMarked
package dev.cagewright.egress.login;

import org.jspecify.annotations.NullMarked;
