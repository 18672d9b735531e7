package dev.cagewright.supervisor.leftover;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonArray;
import dev.cagewright.audit.json.JsonBoolean;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.audit.json.JsonValue;
import dev.cagewright.sandbox.protect.AfterRun;
import dev.cagewright.sandbox.protect.AfterRun.Kind;
import dev.cagewright.supervisor.state.OwnerFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The findings of the last run of a session that worked on the host's own files, in `leftover.json` of its folder.
///
/// @param lines one a finding, safe on a terminal, what weighs most first
/// @param complete false if a bound was hit, so that something may have been missed
public record Leftover(List<String> lines, boolean complete) {
    /// As many are told at the end of a run.
    public static final int TOLD = 10;

    private static final String NAME = "leftover.json";

    public Leftover {
        lines = List.copyOf(lines);
    }

    /// What of `report` is worth a look.
    public static Leftover of(AfterRun report, PackageScripts scripts) {
        var lines = report.findings().stream()
                .filter(finding -> finding.kind() != Kind.RUNS_BY_ITSELF || !scripts.isSame(finding.path()))
                .sorted(Comparator.comparing(AfterRun.Finding::kind))
                .map(AfterRun.Finding::line)
                .toList();
        return new Leftover(lines, report.complete());
    }

    /// The first of them, and how to see the others.
    ///
    /// @param session its id
    public List<String> told(String session) {
        var told = new ArrayList<>(lines.subList(0, Math.min(TOLD, lines.size())));
        if (lines.size() > TOLD) {
            told.add(
                    (lines.size() - TOLD) + " more that the host would execute or obey: cagewright changes " + session);
        }
        if (!complete) {
            told.add("the workspace is too large or could not be read everywhere: what the run left there was not all"
                    + " looked at");
        }
        return told;
    }

    /// Keeps them in the folder of the session.
    public void store(Path session) throws IOException {
        var json = Json.object().put("complete", complete).put("left", lines).build();
        OwnerFile.write(session.resolve(NAME), json.write().getBytes(StandardCharsets.UTF_8));
    }

    /// Did the session whose folder is `session` work on the host's own files?
    public static boolean isKept(Path session) {
        return Files.isRegularFile(session.resolve(NAME), LinkOption.NOFOLLOW_LINKS);
    }

    /// Those of the session's last run; none if it never worked on the host's own files.
    ///
    /// @throws IOException if they cannot be read
    public static Leftover load(Path session) throws IOException {
        var file = session.resolve(NAME);
        if (!isKept(session)) {
            return new Leftover(List.of(), /* complete= */ true);
        }
        try {
            if (Json.parse(Files.readAllBytes(file)) instanceof JsonObject json
                    && json.member("left").orElse(null) instanceof JsonArray(List<JsonValue> items)) {
                var lines = new ArrayList<String>();
                for (JsonValue item : items) {
                    if (item instanceof JsonString(String line)) {
                        lines.add(line);
                    }
                }
                return new Leftover(lines, json.member("complete").equals(Optional.of(new JsonBoolean(true))));
            }
            throw new IOException(file + ": not a list");
        } catch (JsonSyntaxException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }
}
