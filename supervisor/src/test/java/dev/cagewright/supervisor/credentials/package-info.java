/// What runs get of stored secrets.
@NullMarked
package dev.cagewright.supervisor.credentials;

import org.jspecify.annotations.NullMarked;
