@NullMarked
package dev.cagewright.egress.address;

import org.jspecify.annotations.NullMarked;
