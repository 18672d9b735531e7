/// What stands in a cage for a secret. Start at [dev.cagewright.secrets.decoy.Decoys]. A decoy looks as its vendor says
/// that
/// the key looks, so that clients which check the form accept it, and nothing of it is taken from the value but what
/// every
/// such key has.
@NullMarked
package dev.cagewright.secrets.decoy;

import org.jspecify.annotations.NullMarked;
