/// Secret values in memory, and what stands for them in a cage. Start at [dev.cagewright.secrets.value.SecretValue] and
/// [dev.cagewright.secrets.value.HeldSecret]. Nothing here becomes a `String`, prints a value, or is written anywhere.
@NullMarked
package dev.cagewright.secrets.value;

import org.jspecify.annotations.NullMarked;
