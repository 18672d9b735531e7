package dev.cagewright.cli.audit;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.proof.LogProver;
import dev.cagewright.cli.ExitCode;
import dev.cagewright.cli.terminal.Console;
import dev.cagewright.cli.terminal.Visible;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `cagewright audit prove`: what a third party checks with a public key alone.
@Command(
        name = "prove",
        description = {
            "Writes a proof that line SEQ is in the log, or with --since that the log only grew.",
            "It ends in a checkpoint: by default the newest beside the log. verify-proof checks it."
        },
        mixinStandardHelpOptions = true)
public final class ProveCommand implements Callable<Integer> {
    private final Console console;
    private final StateFolders folders;

    @Mixin
    private final LogOption log = new LogOption();

    @Parameters(arity = "0..1", paramLabel = "SEQ", description = "The line's number, from 1.")
    @SuppressWarnings("FieldCanBeFinal")
    private Optional<Long> seq = Optional.empty();

    @Option(names = "--since", paramLabel = "OLD", description = "An older checkpoint that the log begins with.")
    private Optional<Path> since = Optional.empty();

    @Option(names = "--checkpoint", paramLabel = "FILE", description = "The checkpoint that the proof ends in.")
    private Optional<Path> checkpoint = Optional.empty();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where the proof goes; by default standard output.")
    private Optional<Path> output = Optional.empty();

    @Option(names = "--bare", description = "Leave the line itself out of the proof.")
    private boolean bare;

    public ProveCommand(Console console, StateFolders folders) {
        this.console = console;
        this.folders = folders;
    }

    @Override
    public Integer call() throws IOException {
        if (seq.isPresent() == since.isPresent()) {
            throw new IllegalArgumentException(
                    "prove: " + (seq.isPresent() ? "both" : "neither") + " of SEQ and --since (expected: one of them)");
        }
        var path = log.path(folders);
        try {
            write(proof(new LogProver(path, checkpoint(path))));
            return ExitCode.OK.code();
        } catch (BrokenChainException e) {
            var where = e.line() == 0 ? "" : "line " + e.line() + " (byte " + e.offset() + "): ";
            console.say(
                    console.errPalette().bad("broken") + ": " + where + Visible.text(String.valueOf(e.getMessage())));
            return ExitCode.CHECK_FAILED.code();
        }
    }

    private byte[] proof(LogProver prover) throws IOException, BrokenChainException {
        if (since.isPresent()) {
            return prover.consistency(Checkpoint.read(since.get())).bytes();
        }
        var proof = prover.inclusion(seq.orElseThrow());
        return (bare ? proof.bare() : proof).bytes();
    }

    private Checkpoint checkpoint(Path path) throws IOException {
        if (checkpoint.isPresent()) {
            return Checkpoint.read(checkpoint.get());
        }
        return new CheckpointFiles(path)
                .newest()
                .orElseThrow(() -> new IOException(
                        "there is no checkpoint beside " + path + ": `cagewright audit checkpoint` makes one"));
    }

    private void write(byte[] proof) throws IOException {
        if (output.isPresent()) {
            Files.write(output.get(), proof);
            console.out().println("proof written: " + Visible.text(output.get().toString()));
        } else {
            console.out().writeBytes(proof);
        }
    }
}
