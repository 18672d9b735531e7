/// Amounts as people write them, with exact arithmetic and one accepted spelling each. Start at [ByteSize] and
/// [TimeSpan]. Every odd spelling is refused by [Field#refusal] with the field, the text and the accepted forms.
@NullMarked
package dev.cagewright.policy.quantity;

import org.jspecify.annotations.NullMarked;
