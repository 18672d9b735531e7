package dev.cagewright.egress.credential;

/// A secret that a request uses, in one place.
///
/// @param secret its number among the session's
record Use(int secret, Place place) {}
