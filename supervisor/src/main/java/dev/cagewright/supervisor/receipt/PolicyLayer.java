package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.supervisor.policyfile.LoadedPolicy;
import dev.cagewright.supervisor.policyfile.PolicyLayers;
import java.util.ArrayList;
import java.util.List;

/// One policy file that held for a run.
///
/// @param rank `organisation`, `user` or `project`
/// @param name as the person named it, printable
/// @param sha256 of its bytes
public record PolicyLayer(String rank, String name, String sha256) {
    /// Widest reach first.
    public static List<PolicyLayer> of(PolicyLayers layers) {
        var found = new ArrayList<PolicyLayer>();
        layers.organisation().map(file -> of("organisation", file)).ifPresent(found::add);
        layers.user().map(file -> of("user", file)).ifPresent(found::add);
        layers.project().map(file -> of("project", file)).ifPresent(found::add);
        return found;
    }

    private static PolicyLayer of(String rank, LoadedPolicy file) {
        return new PolicyLayer(rank, file.name(), file.sha256());
    }

    JsonObject toJson() {
        return Json.object()
                .put("layer", rank)
                .put("name", name)
                .put("sha256", sha256)
                .build();
    }

    static PolicyLayer read(String where, JsonValue json) throws ReceiptSyntaxException {
        var members = Members.of(where, json);
        var layer = new PolicyLayer(members.text("layer"), members.text("name"), members.digest("sha256"));
        members.end();
        return layer;
    }
}
