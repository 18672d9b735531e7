package dev.cagewright.cli.life;

import dev.cagewright.supervisor.credentials.SecretWish;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What whoever wants a cage to be up may say: which one, and what it is lent.
final class UpOptions {
    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Parameters(paramLabel = "NAME", description = "The cage; cagewright init NAME makes one.")
    private String name = "";

    @SuppressWarnings("FieldCanBeFinal") // picocli sets it
    @Option(
            names = {"-s", "--secret"},
            paramLabel = "NAME[=VAR]",
            description = "A stored secret besides those of the cage; may be given several times.")
    private List<String> secrets = new ArrayList<>();

    String name() {
        return name;
    }

    /// @throws IllegalArgumentException if one is none; its value is not shown
    List<SecretWish> wishes() {
        return secrets.stream().map(SecretWish::parse).toList();
    }
}
