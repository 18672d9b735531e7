package dev.cagewright.cli;

import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.policy.engine.BadPolicyException;
import dev.cagewright.supervisor.policyfile.PolicySyntaxException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// What a command throws becomes one line on standard error and an exit code; never a stack trace, unless
/// `CAGEWRIGHT_DEBUG` asks for one.
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private static final String NOT_SHOWN = "there is a word too many, not shown because it may be a value (expected:"
            + " no value on the command line, where the shell's history and the list of processes have it; a value that"
            + " was given there should be replaced at its vendor; give it by a pipe, ... | cagewright secret set NAME,"
            + " or typed, by --from-file or by --from-command)";

    private final Console console;

    Failures(Console console) {
        this.console = console;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult words) {
        if (System.getenv("CAGEWRIGHT_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        }
        if (failure instanceof PolicySyntaxException || failure instanceof BadPolicyException) {
            sentence(failure).lines().map(Visible::text).forEach(console::say);
        } else {
            console.say(Visible.text(sentence(failure)));
        }
        return code(failure).code();
    }

    @Override
    public int handleParseException(ParameterException wrong, String[] words) {
        var command = wrong.getCommandLine();
        console.say(isNotToBeShown(wrong) ? NOT_SHOWN : Visible.text(text(wrong)));
        console.more("usage: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.code();
    }

    /// What a person puts behind the name of a secret may be its value.
    private static boolean isNotToBeShown(ParameterException wrong) {
        return wrong instanceof UnmatchedArgumentException
                && wrong.getCommandLine().getCommandSpec().qualifiedName().startsWith("cagewright secret ");
    }

    private static ExitCode code(Exception failure) {
        return switch (failure) {
            case IllegalArgumentException _, PolicySyntaxException _, BadPolicyException _ -> ExitCode.USAGE;
            default -> ExitCode.NO_CAGE;
        };
    }

    static String sentence(Exception failure) {
        return switch (failure) {
            case NoSuchFileException missing ->
                missing.getReason() == null ? missing.getFile() + ": no such file" : text(missing);
            case FileAlreadyExistsException there -> there.getFile() + ": exists already";
            case FileSystemException other -> text(other);
            case IOException other -> text(other);
            case IllegalArgumentException wrong -> text(wrong);
            case PolicySyntaxException problems -> text(problems);
            case BadPolicyException bad ->
                bad.problems().stream()
                        .map(BadPolicyException.Problem::toString)
                        .collect(Collectors.joining("\n"));
            default -> "internal error: " + failure + " (CAGEWRIGHT_DEBUG=1 prints where)";
        };
    }

    private static String text(Exception failure) {
        @Nullable String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
