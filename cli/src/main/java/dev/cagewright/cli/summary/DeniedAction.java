package dev.cagewright.cli.summary;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.supervisor.journal.ActionJson;
import dev.cagewright.supervisor.journal.ActionText;

/// An action of the log on one line for people.
final class DeniedAction {
    private DeniedAction() {}

    /// As the product says it where it knows the action, otherwise as the log has it.
    static String of(JsonObject action) {
        return ActionJson.read(action).map(ActionText::of).orElseGet(action::write);
    }
}
