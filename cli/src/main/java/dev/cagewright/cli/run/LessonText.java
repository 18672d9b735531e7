package dev.cagewright.cli.run;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.supervisor.observed.Lesson;
import dev.cagewright.supervisor.observed.Suggestion;

/// What a run has learned, for a person, on standard error.
final class LessonText {
    private final Console console;

    LessonText(Console console) {
        this.console = console;
    }

    void show(Lesson lesson) {
        if (lesson.lacking() == 0) {
            console.say("learned: the policy allows everything that this run did");
            return;
        }
        console.say("learned: the policy denies " + lesson.lacking() + " of the things that this run did; nothing was"
                + " changed" + (lesson.patch().isEmpty() ? "" : "; read this before `patch` applies it:"));
        lesson.patch().lines().map(Visible::text).forEach(console::asItIs);
        lesson.unplaced().forEach(line -> console.more("no place in the file for: " + Visible.text(line)));
        lesson.suggestion().never().stream().map(LessonText::wall).forEach(console::more);
        if (lesson.still() > 0) {
            console.say(lesson.still() + " of them stay denied");
        }
    }

    private static String wall(Suggestion.Never each) {
        return "no line allows: " + ByteString.of(each.what()).printable() + " (" + String.join(", ", each.rules())
                + ")";
    }
}
