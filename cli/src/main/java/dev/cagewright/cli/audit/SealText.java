package dev.cagewright.cli.audit;

import dev.cagewright.audit.json.Json;
import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.audit.verify.Sealing;
import dev.cagewright.audit.verify.Sealing.Proof;
import dev.cagewright.audit.verify.Sealing.Tail;
import dev.cagewright.cli.terminal.Visible;
import java.util.ArrayList;
import java.util.List;

/// What `audit verify` says about seals.
final class SealText {
    private SealText() {}

    static List<String> lines(Sealing sealing) {
        var lines = new ArrayList<String>();
        switch (sealing.proof()) {
            case NONE -> {}
            case FORM ->
                lines.add("sealed up to line " + sealing.sealed() + ", not checked: name the key with --seal-key");
            case KEY ->
                lines.add("sealed: proven up to line " + sealing.sealed() + ", by " + sealing.epochs() + " epochs");
        }
        switch (sealing.tail()) {
            case Tail.Unknown _ -> {}
            case Tail.Complete _ -> lines.add("complete: no line is missing at the end");
            case Tail.Unanchored(var reason) -> lines.add("unanchored: " + Visible.text(reason));
            case Tail.Cut(var reason) -> lines.add("unanchored: cut: " + Visible.text(reason));
        }
        return lines;
    }

    static JsonObject json(Sealing sealing) {
        var json = Json.object()
                .put("checked", sealing.proof() == Proof.KEY)
                .put("sealed", sealing.sealed())
                .put("epochs", sealing.epochs());
        return switch (sealing.tail()) {
            case Tail.Unknown _ -> json.put("end", "unknown").build();
            case Tail.Complete _ -> json.put("end", "complete").build();
            case Tail.Unanchored(var reason) ->
                json.put("end", "unanchored").put("reason", reason).build();
            case Tail.Cut(var reason) ->
                json.put("end", "cut").put("reason", reason).build();
        };
    }
}
