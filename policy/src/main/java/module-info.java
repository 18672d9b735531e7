/// What may happen: actions, rules, decisions, and the one gate. Needs nothing but the JDK's base and
/// touches no file, clock or network.
module dev.cagewright.policy {
    requires static org.jspecify;

    exports dev.cagewright.policy.action;
    exports dev.cagewright.policy.argv;
    exports dev.cagewright.policy.decision;
    exports dev.cagewright.policy.document;
    exports dev.cagewright.policy.engine;
    exports dev.cagewright.policy.gate;
    exports dev.cagewright.policy.grant;
    exports dev.cagewright.policy.layers;
    exports dev.cagewright.policy.match;
    exports dev.cagewright.policy.mcp;
    exports dev.cagewright.policy.quantity;
    exports dev.cagewright.policy.token;
    exports dev.cagewright.policy.token.right;
}
