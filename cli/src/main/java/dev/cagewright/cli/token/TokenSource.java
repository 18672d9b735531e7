package dev.cagewright.cli.token;

import dev.cagewright.supervisor.token.TokenFiles;
import java.io.IOException;
import java.nio.file.Path;

/// Where the text of a token comes from: a file, or `-` for the standard input.
final class TokenSource {
    private TokenSource() {}

    static byte[] read(String from) throws IOException {
        if (from.startsWith("cwt1.")) {
            throw new IllegalArgumentException("token: the text of one stands on the command line, where every program"
                    + " of this machine can read it (expected: a file, or - for the standard input; revoke this one)");
        }
        return from.equals("-")
                ? TokenFiles.token(System.in)
                : TokenFiles.token(Path.of(from).toAbsolutePath());
    }
}
