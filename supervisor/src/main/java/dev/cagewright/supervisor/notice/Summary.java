package dev.cagewright.supervisor.notice;

import dev.cagewright.supervisor.approval.Question;

/// A question in one line for where others may read along: what kind of act, and at most whom it is about. Words of a
/// program, bodies, fields and queries are shown where it is answered and not here.
final class Summary {
    private static final int MOST = 200;

    private Summary() {}

    static String of(Question question) {
        var words = question.what().split(" ", 4);
        boolean isProgram = question.action().equals("proc.exec");
        var shown = isProgram ? words[0] + (words.length > 1 ? " " + words[1] : "") : question.what();
        return shown.length() <= MOST ? shown : shown.substring(0, MOST) + "...";
    }
}
