/// What must stay out of a cage: secret values, the store, decoys, and taking values out of what comes back. Needs
/// nothing
/// but the JDK's base and knows neither policy nor network.
module dev.cagewright.secrets {
    requires static transitive org.jspecify;

    exports dev.cagewright.secrets.aws;
    exports dev.cagewright.secrets.decoy;
    exports dev.cagewright.secrets.place;
    exports dev.cagewright.secrets.redact;
    exports dev.cagewright.secrets.store;
    exports dev.cagewright.secrets.value;
}
