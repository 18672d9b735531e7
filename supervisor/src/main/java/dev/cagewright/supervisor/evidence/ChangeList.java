package dev.cagewright.supervisor.evidence;

import dev.cagewright.supervisor.receipt.ChangedFile;
import dev.cagewright.supervisor.receipt.ReceiptSyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The list of a run's changes, a line each.
final class ChangeList {
    private ChangeList() {}

    /// @throws ReceiptSyntaxException if a line is no change, or the last has no line end
    static List<ChangedFile> parse(byte[] list) throws ReceiptSyntaxException {
        var found = new ArrayList<ChangedFile>();
        for (byte[] line : lines(list)) {
            found.add(ChangedFile.parse(line));
        }
        return found;
    }

    /// The lines without their ends; bytes behind the last end are a line too.
    static List<byte[]> lines(byte[] text) {
        var lines = new ArrayList<byte[]>();
        int from = 0;
        for (int at = 0; at < text.length; at++) {
            if (text[at] == '\n') {
                lines.add(Arrays.copyOfRange(text, from, at));
                from = at + 1;
            }
        }
        if (from < text.length) {
            lines.add(Arrays.copyOfRange(text, from, text.length));
        }
        return lines;
    }
}
