/// The gateway beside what others put between a client and an origin: start at [GatewayBench]. Client, origin and
/// what stands between are processes of their own; all talk over loopback.
package dev.cagewright.bench.gateway;
