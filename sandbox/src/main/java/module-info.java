/// Where it runs: the runtime port and the namespaces runtime. The only module that calls the kernel
/// directly, so `--enable-native-access` names it.
module dev.cagewright.sandbox {
    requires static org.jspecify;
    requires transitive dev.cagewright.policy;

    exports dev.cagewright.sandbox.act;
    exports dev.cagewright.sandbox.cell;
    exports dev.cagewright.sandbox.disarm;
    exports dev.cagewright.sandbox.environment;
    exports dev.cagewright.sandbox.files;
    exports dev.cagewright.sandbox.gitconfig;
    exports dev.cagewright.sandbox.host;
    exports dev.cagewright.sandbox.namespaces;
    exports dev.cagewright.sandbox.pool;
    exports dev.cagewright.sandbox.pivots;
    exports dev.cagewright.sandbox.programs;
    exports dev.cagewright.sandbox.protect;
    exports dev.cagewright.sandbox.terminal;
    exports dev.cagewright.sandbox.unisolated;
    exports dev.cagewright.sandbox;
}
