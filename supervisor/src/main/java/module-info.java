/// The trusted core: sessions, policy files, the journal behind the gate, and the host's checks.
module dev.cagewright.supervisor {
    requires static org.jspecify;
    requires transitive dev.cagewright.policy;
    requires transitive dev.cagewright.audit;
    requires transitive dev.cagewright.secrets;
    requires transitive dev.cagewright.sandbox;
    requires transitive dev.cagewright.egress;
    requires java.net.http;
    requires java.xml;
    requires org.bouncycastle.provider;
    requires org.snakeyaml.engine;

    exports dev.cagewright.supervisor.anchor;
    exports dev.cagewright.supervisor.approval;
    exports dev.cagewright.supervisor.budget;
    exports dev.cagewright.supervisor.capture;
    exports dev.cagewright.supervisor.changes;
    exports dev.cagewright.supervisor.changes.apply;
    exports dev.cagewright.supervisor.changes.diff;
    exports dev.cagewright.supervisor.copy;
    exports dev.cagewright.supervisor.credentials;
    exports dev.cagewright.supervisor.evidence;
    exports dev.cagewright.supervisor.fetch;
    exports dev.cagewright.supervisor.har;
    exports dev.cagewright.supervisor.journal;
    exports dev.cagewright.supervisor.net;
    exports dev.cagewright.supervisor.observed;
    exports dev.cagewright.supervisor.policyfile;
    exports dev.cagewright.supervisor.policyfile.yaml;
    exports dev.cagewright.supervisor.receipt;
    exports dev.cagewright.supervisor.receipt.check;
    exports dev.cagewright.supervisor.receipt.issue;
    exports dev.cagewright.supervisor.recovery;
    exports dev.cagewright.supervisor.session;
    exports dev.cagewright.supervisor.registries;
    exports dev.cagewright.supervisor.state;
    exports dev.cagewright.supervisor.token;
    exports dev.cagewright.supervisor.trust;
    exports dev.cagewright.supervisor.vault;
}
