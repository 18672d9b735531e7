package dev.cagewright.mcp.guest;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.mcp.guest.GuestProgram.Standing;
import dev.cagewright.mcp.offer.Caller;
import dev.cagewright.mcp.rpc.RpcException;

/// A server that was opened by `initialize`: it asks for itself what it wants to know.
record OpenedServing(Agreed agreed, Standing standing, Interview interview, Patience patience)
        implements Guest.Serving {
    @Override
    public JsonObject ask(String method, JsonObject params, Caller caller) throws RpcException, InterruptedException {
        return interview.ask(method, params, caller, patience);
    }
}
