package dev.cagewright.sandbox;

/// Which object a path led to.
///
/// @param device the file system, as in `st_dev` of stat(2)
/// @param owner the host's user number
/// @param group the host's group number
public record FileIdentity(long device, long inode, int owner, int group) {}
