/// Real clients in the cage, run by the script that writes docs/clients.md.
@NullMarked
package dev.cagewright.clients;

import org.jspecify.annotations.NullMarked;
