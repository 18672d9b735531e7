/// Commands that show what a cage said to the network: `net` from the audit log, `har` from the capture. Start at
/// [NetCommand]; a [Crossing] is one request, connection or look-up. Nothing here changes anything.
@NullMarked
package dev.cagewright.cli.net;

import org.jspecify.annotations.NullMarked;
