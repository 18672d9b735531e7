/// The only way out of a cage: it answers its names, opens its TLS, reads its requests and sends what a gate let
/// through. Knows no runtime: sockets come to it as descriptors.
module dev.cagewright.egress {
    requires static org.jspecify;
    requires transitive dev.cagewright.policy;

    exports dev.cagewright.egress.address;
}
