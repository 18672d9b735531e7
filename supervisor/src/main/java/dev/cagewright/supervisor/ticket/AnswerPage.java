package dev.cagewright.supervisor.ticket;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.approval.Question;
import dev.cagewright.supervisor.approval.Reply;
import dev.cagewright.supervisor.hatch.HatchAnswer;

/// What is shown to whoever follows a link: the exact object, as text and as nothing else.
final class AnswerPage {
    private static final String TYPE = "text/html; charset=utf-8";

    private AnswerPage() {}

    /// The question, and the one button that answers it.
    static HatchAnswer of(Question question, Reply.Word word) {
        var button = word == Reply.Word.AGREED ? "Approve this, once" : "Deny this";
        return page(
                200,
                "<p>Cage <b>" + text(question.cage()) + "</b> waits for approval until "
                        + text(question.until().toString()) + ".</p>\n<pre>" + text(question.what()) + "\n"
                        + text(String.join("\n", question.lines())) + "\nSHA-256 of all of it: "
                        + text(question.digest()) + "\nasked by " + text(String.join(", ", question.rules()))
                        + "</pre>\n<form method=\"post\"><input type=\"hidden\" name=\"digest\" value=\""
                        + text(question.digest()) + "\"><button>" + button + "</button></form>");
    }

    /// A sentence.
    static HatchAnswer saying(int status, String sentence) {
        return page(status, "<p>" + text(sentence) + "</p>");
    }

    private static HatchAnswer page(int status, String content) {
        var html = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"robots\""
                + " content=\"noindex\"><title>Cagewright</title><style>body{font:16px sans-serif;max-width:60em;"
                + "margin:2em auto;padding:0 1em}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#eee;"
                + "color:#000;padding:1em}button{font:inherit;padding:.5em 1em}</style></head><body>\n"
                + content + "\n</body></html>\n";
        return new HatchAnswer(status, TYPE, ByteString.of(html));
    }

    private static String text(String any) {
        return any.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
