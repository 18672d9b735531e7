package dev.cagewright.supervisor.scaffold;

import dev.cagewright.audit.json.JsonString;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What stands for a run's own in the texts of a scaffold: `${workspace}`, `${secret:NAME}`, which is its decoy, and
/// `${secret:NAME:last20}`, the decoy's last twenty characters. Values are written as within a string of JSON or TOML.
///
/// @param workspace an absolute path
/// @param decoys by the name of their secrets
public record Template(String workspace, Map<String, String> decoys) {
    private static final Pattern PLACE =
            Pattern.compile("\\$\\{(workspace|secret:([A-Za-z_][A-Za-z0-9_]*)(:last20)?)\\}");
    private static final int TAIL = 20;

    public Template {
        decoys = Map.copyOf(decoys);
    }

    /// Has the run a secret of this name?
    boolean has(String secret) {
        return decoys.containsKey(secret);
    }

    /// `text` with everything put in; empty if it needs a secret that the run has not.
    public Optional<String> fill(String text) {
        var out = new StringBuilder();
        var places = PLACE.matcher(text);
        while (places.find()) {
            var value = value(places);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            places.appendReplacement(out, Matcher.quoteReplacement(inString(value.get())));
        }
        return Optional.of(places.appendTail(out).toString());
    }

    /// `text` of a variable, in which only `${workspace}` means something, as it is.
    public String plain(String text) {
        return text.replace("${workspace}", workspace);
    }

    private Optional<String> value(Matcher place) {
        if (place.group(2) == null) {
            return Optional.of(workspace);
        }
        return Optional.ofNullable(decoys.get(place.group(2)))
                .map(decoy -> place.group(3) == null ? decoy : decoy.substring(Math.max(0, decoy.length() - TAIL)));
    }

    private static String inString(String value) {
        var quoted = new JsonString(value).write();
        return quoted.substring(1, quoted.length() - 1);
    }

    /// Which secrets there are, and no decoy.
    @Override
    public String toString() {
        return "(for " + workspace + " with " + decoys.keySet() + ")";
    }
}
