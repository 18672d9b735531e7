package dev.cagewright.cli.grant;

import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.session.SessionWord;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.grant.Opening;
import dev.cagewright.policy.quantity.TimeSpan;
import dev.cagewright.supervisor.grant.GrantOffice;
import dev.cagewright.supervisor.grant.GrantRequest;
import dev.cagewright.supervisor.grant.OrderAnswer;
import dev.cagewright.supervisor.state.SessionRecord;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright grants add`.
@Command(
        name = "add",
        description = {
            "Lets a running cage reach more for a time: one host, and of it what is named.",
            "What a policy forbids, or an organisation's may_grant does not have, stays denied; no secret goes with it."
        },
        mixinStandardHelpOptions = true)
final class AddCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(
            arity = "0..1",
            paramLabel = "SESSION",
            description = SessionWord.HELP + " May be left out where one lives.")
    private Optional<String> session = Optional.empty();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--host", required = true, paramLabel = "HOST", description = "Its exact name.")
    private String host = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"--method", "--methods"},
            split = ",",
            paramLabel = "METHOD",
            description = "May be given more than once; by default GET and HEAD.")
    private List<String> methods = List.of();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--path",
            paramLabel = "PATH",
            description = "A pattern as in policies, such as /v1/**; may be given more than once; by default all.")
    private List<String> paths = List.of();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"--port", "--ports"},
            split = ",",
            paramLabel = "PORT",
            description = "By default 443 and 80.")
    private List<Integer> ports = List.of();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = "--address",
            split = ",",
            paramLabel = "ADDRESS",
            description = "The only addresses that may be dialled for it; by default any public one.")
    private List<String> addresses = List.of();

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--expires-in", paramLabel = "TIME", description = "30m, 2h, at most 24h; by default 1h.")
    private String time = "1h";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(names = "--why", paramLabel = "TEXT", description = "For the record.")
    private String why = "given by command";

    AddCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        var request = GrantRequest.of(
                host,
                usual(ports, Opening.USUAL_PORTS),
                usual(methods, Opening.USUAL_METHODS),
                usual(paths, Opening.USUAL_PATHS),
                new GrantRequest.Reason(
                        why, TimeSpan.parse("--expires-in", time).value()));
        var meant = session();
        var answer = new GrantOffice(folders).add(meant.id(), request, addresses);
        return told(answer, request);
    }

    private static <T> List<T> usual(List<T> given, List<T> otherwise) {
        return given.isEmpty() ? otherwise : given;
    }

    private SessionRecord session() throws IOException {
        if (session.isPresent()) {
            return new GrantRows(console, folders).session(session.get());
        }
        var living = new GrantOffice(folders).living();
        if (living.size() == 1) {
            return living.getFirst();
        }
        throw new IllegalArgumentException(
                living.isEmpty()
                        ? "session: none lives (expected: a run that the grant is for)"
                        : "session: " + living.size()
                                + " live (expected: the one that is meant, as cagewright ls shows it)");
    }

    private int told(OrderAnswer answer, GrantRequest request) {
        var id = answer.id().map(some -> some + ": ").orElse("");
        if (answer.outcome() == OrderAnswer.Outcome.REFUSED) {
            console.say(Visible.text("not granted: " + id + answer.text()));
            return ExitCode.DENIED.code();
        }
        var until = answer.until().map(end -> " until " + end).orElse("");
        console.out().println(Visible.text(id + request.opening() + until));
        return ExitCode.OK.code();
    }
}
