/// The agent's door: Model Context Protocol, spoken strictly, and everybody else's servers in cages.
module dev.cagewright.mcp {
    requires static org.jspecify;
    requires transitive dev.cagewright.supervisor;

    exports dev.cagewright.mcp.consent;
    exports dev.cagewright.mcp.door;
    exports dev.cagewright.mcp.guest;
    exports dev.cagewright.mcp.judge;
    exports dev.cagewright.mcp.http;
    exports dev.cagewright.mcp.offer;
    exports dev.cagewright.mcp.pin;
    exports dev.cagewright.mcp.protocol;
    exports dev.cagewright.mcp.relay;
    exports dev.cagewright.mcp.remote;
    exports dev.cagewright.mcp.rpc;
    exports dev.cagewright.mcp.stdio;
    exports dev.cagewright.mcp.tools;
}
