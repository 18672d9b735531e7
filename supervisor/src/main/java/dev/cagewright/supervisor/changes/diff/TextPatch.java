package dev.cagewright.supervisor.changes.diff;

import java.nio.charset.StandardCharsets;

/// The change of one text in the form that `patch` takes.
public final class TextPatch {
    private TextPatch() {}

    /// The change with three lines around each hunk; empty when there is none.
    ///
    /// @param before the old file's name, `/dev/null` if there is none
    /// @param after the new file's
    public static String of(String before, String after, String old, String fresh) {
        var diff = LineDiff.of(old.getBytes(StandardCharsets.UTF_8), fresh.getBytes(StandardCharsets.UTF_8));
        if (diff.blocks().isEmpty()) {
            return "";
        }
        var text = new StringBuilder("--- " + before + "\n+++ " + after + "\n");
        new UnifiedText(diff, (_, line) -> text.append(new String(line, StandardCharsets.UTF_8))).write();
        return text.toString();
    }
}
