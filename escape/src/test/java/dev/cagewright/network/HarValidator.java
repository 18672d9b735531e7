package dev.cagewright.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Somebody else's idea of HAR 1.2: the package `har-validator`, by npm.
final class HarValidator {
    private static final String PACKAGE = "har-validator@5.1.5";

    private final Path folder;

    private HarValidator(Path folder) {
        this.folder = folder;
    }

    /// Installs it into an empty folder.
    static HarValidator in(Path folder) throws IOException, InterruptedException {
        Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
        Files.writeString(folder.resolve("check.js"), """
                const text = require('fs').readFileSync(process.argv[2], 'utf8');
                require('har-validator').har(JSON.parse(text))
                    .then(() => console.log('valid'))
                    .catch(wrong => console.log(JSON.stringify(wrong.errors || String(wrong))));
                """);
        var validator = new HarValidator(folder);
        validator.run(List.of("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE));
        return validator;
    }

    /// `valid`, or what is wrong.
    String check(Path archive) throws IOException, InterruptedException {
        return run(List.of("node", "check.js", archive.toString())).strip();
    }

    private String run(List<String> words) throws IOException, InterruptedException {
        var out = folder.resolve("out.txt");
        var process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        int code = process.waitFor();
        var said = Files.readString(out);
        if (code != 0) {
            throw new IOException(words + " ended with " + code + ": " + said);
        }
        return said;
    }
}
