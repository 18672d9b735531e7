package dev.cagewright.escape.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The packaged product.
///
/// @param command what a person types: the script that starts it
public record Product(Path command) {
    private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

    /// The product that this build made.
    public static Product built() {
        assertThat(CHECKOUT.resolve("cli/target/product/complete"))
                .as("the packaged product; build it first: ./build -DskipTests package")
                .exists();
        return new Product(CHECKOUT.resolve("cagewright"));
    }

    /// A copy below `folder`, laid out as a checkout that is built, that anybody may read.
    public Product installedAt(Path folder) throws IOException, InterruptedException {
        var libexec = CHECKOUT.resolve("libexec").toString();
        var product = CHECKOUT.resolve("cli/target/product").toString();
        Files.createDirectories(folder.resolve("cli/target"));
        Command.output(List.of("cp", "-pr", command.toString(), libexec, "."), folder);
        Command.output(List.of("cp", "-pr", product, "cli/target"), folder);
        Command.output(List.of("chmod", "-R", "u=rwX,go=rX", "."), folder);
        return new Product(folder.resolve("cagewright"));
    }

    /// A copy with start-up caches of its own: those that were copied fit the place they come from, and a
    /// start without one takes three times as long. Where they cannot be made it is slow, and that is all.
    Product withCaches() throws IOException, InterruptedException {
        var home = command.resolveSibling("cli/target/product");
        var words = List.of(
                command.resolveSibling("libexec/make-cache").toString(),
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                home.resolve("lib").toString(),
                home.toString());
        try (var making = Command.start(words, home, System.getenv())) {
            making.await();
        }
        return this;
    }
}
