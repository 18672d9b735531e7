package dev.cagewright.cli.approval;

import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.approval.Scope;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a person typed at a prompt. Anything that is not clearly a yes is a no.
///
/// @param word agreed or refused
/// @param scope of an agreement
public record AnswerWord(Reply.Word word, Scope scope) {
    /// What a prompt offers.
    public static final String OFFER = "[y]es once, [r] for this run, 10m for a time, [N]o";

    /// Reads a line as a terminal gives it.
    public static AnswerWord parse(byte[] line) {
        var text = new String(line, StandardCharsets.UTF_8).strip().toLowerCase(Locale.ROOT);
        return switch (text) {
            case "y", "yes" -> agreed(new Scope.Once());
            case "r", "run" -> agreed(new Scope.ThisRun());
            default -> text.matches("[0-9]{1,6}(s|m|h)") ? timed(text) : no();
        };
    }

    private static AnswerWord timed(String text) {
        try {
            return agreed(Scope.parse(text));
        } catch (IllegalArgumentException _) {
            return no();
        }
    }

    private static AnswerWord agreed(Scope scope) {
        return new AnswerWord(Reply.Word.AGREED, scope);
    }

    private static AnswerWord no() {
        return new AnswerWord(Reply.Word.REFUSED, new Scope.Once());
    }
}
