/// `doctor`: what this host can hold. Start at [DoctorCommand]. Nothing here changes the host.
@NullMarked
package dev.cagewright.cli.host;

import org.jspecify.annotations.NullMarked;
