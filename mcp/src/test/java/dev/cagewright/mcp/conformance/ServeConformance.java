package dev.cagewright.mcp.conformance;

import dev.cagewright.audit.json.JsonSyntaxException;
import dev.cagewright.mcp.http.HttpDoor;
import dev.cagewright.mcp.stdio.StdioDoor;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/// A program that serves a [ConformanceOffer] on its own streams, for clients that start their servers, or on the
/// socket
/// that its argument names, until its standard input ends.
public final class ServeConformance {
    private ServeConformance() {}

    public static void main(String[] words) throws IOException, JsonSyntaxException {
        if (words.length == 0) {
            StdioDoor.serve(new ConformanceOffer(), System.in, new FileOutputStream(FileDescriptor.out));
            return;
        }
        try (var _ = HttpDoor.unix(new ConformanceOffer(), Path.of(words[0]))) {
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }
}
