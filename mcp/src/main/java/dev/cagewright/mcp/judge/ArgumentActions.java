package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.mcp.ToolRule;
import java.util.ArrayList;
import java.util.List;

/// What the arguments of a call come to, as actions.
final class ArgumentActions {
    private final PathReadings paths;

    /// @param here where the server works
    ArgumentActions(GuestPath here) {
        this.paths = new PathReadings(here);
    }

    /// @param argument its pointer
    record Meant(String argument, Action action) {}

    /// Everything that `rule` says an argument means.
    ///
    /// @throws OddArgumentException if one of them cannot be read
    List<Meant> of(ToolRule rule, JsonObject arguments) throws OddArgumentException {
        var all = new ArrayList<Meant>();
        for (var entry : rule.paths().entrySet()) {
            for (ArgumentPlaces.Place place : ArgumentPlaces.at(arguments, entry.getKey())) {
                for (GuestPath path : paths.of(place)) {
                    if (entry.getValue() != ToolRule.Access.WRITE) {
                        all.add(new Meant(place.pointer(), new Action.FsRead(path)));
                    }
                    if (entry.getValue() != ToolRule.Access.READ) {
                        all.add(new Meant(place.pointer(), new Action.FsWrite(path)));
                    }
                }
            }
        }
        for (String name : rule.hosts()) {
            for (ArgumentPlaces.Place place : ArgumentPlaces.at(arguments, name)) {
                all.add(new Meant(place.pointer(), HostReadings.of(place)));
            }
        }
        return all;
    }
}
