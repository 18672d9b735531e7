/// Ed25519 keys in files. Start at [SigningKey] and [PinnedKey]. Signs bytes and checks signatures; never says what the
/// bytes mean.
@NullMarked
package dev.cagewright.audit.key;

import org.jspecify.annotations.NullMarked;
