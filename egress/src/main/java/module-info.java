/// The only way out of a cage: it answers its names, opens its TLS, reads its requests and sends what a gate let
/// through. Knows no runtime: sockets come to it as descriptors.
module dev.cagewright.egress {
    requires static org.jspecify;
    requires transitive dev.cagewright.policy;
    requires transitive io.netty.buffer;
    requires transitive io.netty.transport;
    requires io.netty.codec;
    requires io.netty.codec.dns;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.bouncycastle.util;

    exports dev.cagewright.egress.address;
    exports dev.cagewright.egress.authority;
    exports dev.cagewright.egress.dns;
    exports dev.cagewright.egress.hello;
    exports dev.cagewright.egress.http;
    exports dev.cagewright.egress.resolve;
}
