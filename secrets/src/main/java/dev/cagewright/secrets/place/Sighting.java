package dev.cagewright.secrets.place;

import dev.cagewright.secrets.redact.Spelling;

/// A decoy that stands in a text.
///
/// @param secret its number in the list that the [Decoys] were made of
/// @param from its first byte in the text
/// @param to behind its last
public record Sighting(int secret, Spelling spelling, int from, int to) {}
