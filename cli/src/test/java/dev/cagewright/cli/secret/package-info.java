@NullMarked
package dev.cagewright.cli.secret;

import org.jspecify.annotations.NullMarked;
