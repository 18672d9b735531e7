package dev.cagewright.cli.summary;

/// Denials of one kind.
///
/// @param what a host, or an action on one line
/// @param times how often
/// @param why the reason of the last one; may be empty
/// @param id the last one's, for `cagewright why`; empty where nothing was judged
record DeniedGroup(String what, long times, String why, String id) {
    DeniedGroup and(DeniedGroup later) {
        return new DeniedGroup(what, times + later.times, later.why, later.id.isEmpty() ? id : later.id);
    }
}
