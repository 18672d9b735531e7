package dev.cagewright.cli.policy;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.observed.Lesson;
import dev.cagewright.supervisor.observed.Suggestion;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright policy suggest SESSION...`: the lines that would allow what was denied, or observed. Writes nothing.
@Command(
        name = "suggest",
        description = {
            "Shows the narrowest lines of a policy that would allow what sessions were denied, or"
                    + " asked for under net.mode: observe, and what no line allows.",
            "Applies nothing: read each line before it goes into a policy."
        },
        mixinStandardHelpOptions = true)
public final class SuggestCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "SESSION", arity = "1..*", description = SessionWord.HELP)
    private List<String> sessions = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "POLICY",
            description = "Print the change as a patch of this policy's file, and nothing else on standard output.")
    private Optional<String> policy = Optional.empty();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    public SuggestCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, PolicySyntaxException, BadPolicyException {
        var decisions = PastSessions.read(console, folders, sessions);
        if (decisions.isEmpty()) {
            return ExitCode.CHECK_FAILED.code();
        }
        return (policy.isPresent()
                        ? patch(Lesson.of(decisions.get(), PastSessions.policy(folders, policy.get())))
                        : tell(Suggestion.of(decisions.get())))
                .code();
    }

    private ExitCode patch(Lesson lesson) {
        if (json) {
            console.out().println(lesson.toJson().write());
            return ExitCode.OK;
        }
        console.out().print(lesson.patch());
        lesson.unplaced().forEach(line -> console.say("no place in the file for: " + Visible.text(line)));
        if (lesson.still() > 0) {
            console.say(lesson.still() + " of " + lesson.lacking() + " denials stay with it");
        }
        return ExitCode.OK;
    }

    private ExitCode tell(Suggestion suggestion) {
        if (json) {
            console.out().println(suggestion.toJson().write());
        } else if (suggestion.lines().isEmpty() && suggestion.never().isEmpty()) {
            console.say("nothing was denied");
        } else {
            suggestion.text().lines().map(Visible::text).forEach(console.out()::println);
        }
        return ExitCode.OK;
    }
}
