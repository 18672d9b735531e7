package dev.cagewright.supervisor.har;

import dev.cagewright.audit.json.Json;
import dev.cagewright.supervisor.capture.CaptureReader;
import dev.cagewright.supervisor.receipt.Product;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// Writes a capture as one HTTP archive (HAR 1.2), one entry after the other.
public final class HarFile {
    private final CaptureReader capture;
    private final View view;

    public HarFile(CaptureReader capture, View view) {
        this.capture = capture;
        this.view = view;
    }

    /// Writes the archive; `out` stays open.
    ///
    /// @param about a sentence about where it is from
    /// @return how many entries it has
    public long write(OutputStream out, String about) throws IOException {
        var creator = Json.object()
                .put("name", "cagewright")
                .put("version", Product.own().version())
                .build();
        text(out, "{\"log\":{\"version\":\"1.2\",\"creator\":" + creator.write() + ",\"entries\":[");
        var counter = new long[1];
        capture.each(exchange -> {
            var entry = HarEntry.of(exchange, view);
            if (entry.isPresent()) {
                text(out, counter[0]++ == 0 ? "\n" : ",\n");
                out.write(entry.get().bytes());
            }
        });
        text(out, "\n],\"comment\":" + Json.of(about + whole()).write() + "}}\n");
        return counter[0];
    }

    private String whole() {
        return capture.cutBytes() == 0 && capture.unreadLines() == 0
                ? ""
                : "; the capture is not whole: " + capture.cutBytes() + " bytes at its end and " + capture.unreadLines()
                        + " lines cannot be read";
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
