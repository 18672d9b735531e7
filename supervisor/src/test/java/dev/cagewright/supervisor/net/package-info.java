/// How a cage's net cell and the gateway are joined.
@NullMarked
package dev.cagewright.supervisor.net;

import org.jspecify.annotations.NullMarked;
