/// What happened: the hash-chained log, its checkpoints and its verifier. Needs nothing but the JDK's
/// base, so that the verifier runs alone on a stranger's machine.
module dev.cagewright.audit {
    requires static org.jspecify;
}
