package dev.cagewright.cli.named;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import java.util.Locale;

/// One thing about a cage that was looked at.
///
/// @param what one word
/// @param state how it is
/// @param told what was found; where it is bad, with what to do
record Finding(String what, State state, String told) {
    /// How it is.
    enum State {
        OK,
        BAD,
        /// There is nothing to look at.
        NONE
    }

    static Finding ok(String what, String told) {
        return new Finding(what, State.OK, told);
    }

    static Finding bad(String what, String told) {
        return new Finding(what, State.BAD, told);
    }

    static Finding none(String what, String told) {
        return new Finding(what, State.NONE, told);
    }

    JsonObject toJson() {
        return Json.object()
                .put("what", what)
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("told", told)
                .build();
    }
}
