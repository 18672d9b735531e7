package dev.cagewright.egress.capture;

/// One field of a head as it is kept: the value of a credential is not.
public record Field(String name, String value) {}
