package dev.cagewright.cli.audit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of `audit verify`.
final class VerifyOptions {
    @Option(
            names = {"--pubkey", "--key"},
            paramLabel = "FILE",
            description = "PREFIX.pub.hex of keygen; checkpoints must be signed with it.")
    private Optional<Path> publicKey = Optional.empty();

    @Option(
            names = "--checkpoint",
            paramLabel = "FILE",
            description = "A checkpoint that was kept elsewhere; may be given several times.")
    private List<Path> checkpoints = new ArrayList<>();

    @Option(
            names = "--since",
            paramLabel = "OLD",
            description = "An older checkpoint: the log must only have grown since.")
    private Optional<Path> since = Optional.empty();

    @Mixin
    private final WitnessOptions witnesses = new WitnessOptions();

    @Option(
            names = "--seal-key",
            paramLabel = "FILE",
            description = "The key that `keygen --seal` gave out; proves every seal, and judges the log's end.")
    private Optional<Path> sealKey = Optional.empty();

    @Option(names = "--require-anchored", description = "End with 6 when lines follow the newest verified checkpoint.")
    private boolean requiresAnchor;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    Optional<Path> publicKey() {
        return publicKey;
    }

    List<Path> checkpoints() {
        return List.copyOf(checkpoints);
    }

    Optional<Path> since() {
        return since;
    }

    WitnessOptions witnesses() {
        return witnesses;
    }

    Optional<Path> sealKey() {
        return sealKey;
    }

    boolean requiresAnchor() {
        return requiresAnchor;
    }

    boolean json() {
        return json;
    }
}
