/// How the programs in a cage come to trust the cage's own authority: the host's trust stores with one certificate
/// more,
/// mounted where programs look for them, and variables for those that look nowhere. Start at [CageTrust]. Nothing here
/// makes a certificate, sees a key, or changes a file of the host.
@NullMarked
package dev.cagewright.supervisor.trust;

import org.jspecify.annotations.NullMarked;
