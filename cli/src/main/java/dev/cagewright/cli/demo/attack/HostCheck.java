package dev.cagewright.cli.demo.attack;

/// Something that has to be true of the host when all is over.
///
/// @param id for evidence and programs, `[a-z]+`
/// @param what is true, one clause
/// @param detail what was found; empty when there is nothing more to say
record HostCheck(String id, String what, boolean isGood, String detail) {}
