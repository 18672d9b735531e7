import dev.cagewright.egress.inspect.Inspector;

/// The only way out of a cage: it answers its names, opens its TLS, reads its requests and sends what a gate
/// let through. Knows no runtime: sockets come to it as descriptors.
module dev.cagewright.egress {
    requires static org.jspecify;
    requires transitive dev.cagewright.policy;
    requires transitive dev.cagewright.secrets;
    requires transitive io.netty.buffer;
    requires transitive io.netty.codec;
    requires transitive io.netty.codec.http;
    requires transitive io.netty.common;
    requires transitive io.netty.handler;
    requires transitive io.netty.transport;
    requires java.logging;
    requires io.netty.codec.dns;
    requires io.netty.codec.http2;
    requires io.netty.resolver;
    requires io.netty.resolver.dns;
    requires io.netty.tcnative.classes.openssl;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.unix.common;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.bouncycastle.util;

    uses Inspector;

    exports dev.cagewright.egress;
    exports dev.cagewright.egress.address;
    exports dev.cagewright.egress.authority;
    exports dev.cagewright.egress.capture;
    exports dev.cagewright.egress.credential;
    exports dev.cagewright.egress.deadline;
    exports dev.cagewright.egress.desk;
    exports dev.cagewright.egress.dns;
    exports dev.cagewright.egress.hello;
    exports dev.cagewright.egress.here;
    exports dev.cagewright.egress.http;
    exports dev.cagewright.egress.inspect;
    exports dev.cagewright.egress.inspect.credential;
    exports dev.cagewright.egress.publish;
    exports dev.cagewright.egress.login;
    exports dev.cagewright.egress.question;
    exports dev.cagewright.egress.refusal;
    exports dev.cagewright.egress.relay;
    exports dev.cagewright.egress.resolve;
    exports dev.cagewright.egress.tls;
    exports dev.cagewright.egress.upstream;
}
