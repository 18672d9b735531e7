/// What happened: the hash-chained log, its checkpoints and its verifier. Needs nothing but the JDK's
/// base, so that the verifier runs alone on a stranger's machine.
module dev.cagewright.audit {
    requires static transitive org.jspecify;

    exports dev.cagewright.audit.chain;
    exports dev.cagewright.audit.checkpoint;
    exports dev.cagewright.audit.event;
    exports dev.cagewright.audit.json;
    exports dev.cagewright.audit.key;
    exports dev.cagewright.audit.log;
    exports dev.cagewright.audit.merkle;
    exports dev.cagewright.audit.note;
    exports dev.cagewright.audit.proof;
    exports dev.cagewright.audit.read;
    exports dev.cagewright.audit.verify;
}
