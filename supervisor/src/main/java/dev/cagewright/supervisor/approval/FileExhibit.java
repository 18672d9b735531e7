package dev.cagewright.supervisor.approval;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.gate.ActionDigest;
import dev.cagewright.policy.gate.Exhibit;
import dev.cagewright.sandbox.act.FileAct;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a person agrees to who lets a file be read or written: which part, or every byte that is written and how.
///
/// @param act its path as policies have it
public record FileExhibit(FileAct act) implements Exhibit {
    private static final int MOST_LINES = 40;

    /// What `act` is to a policy.
    public static Action actionOf(FileAct act) {
        return switch (act) {
            case FileAct.Read read -> new Action.FsRead(read.path());
            case FileAct.Write write -> new Action.FsWrite(write.path());
        };
    }

    @Override
    public ByteString digest() {
        var digest = ActionDigest.begin(actionOf(act));
        return switch (act) {
            case FileAct.Read read ->
                digest.number(read.from()).number(read.most()).end();
            case FileAct.Write write ->
                digest.text(write.mode().name())
                        .text(write.parents().name())
                        .bytes(write.content())
                        .end();
        };
    }

    @Override
    public List<String> lines() {
        return switch (act) {
            case FileAct.Read read -> List.of("from byte " + read.from() + ", at most " + read.most() + " bytes");
            case FileAct.Write write -> lines(write);
        };
    }

    private static List<String> lines(FileAct.Write write) {
        var lines = new ArrayList<String>();
        lines.add(write.mode().name().toLowerCase(Locale.ROOT) + ", "
                + write.content().size() + " bytes:");
        var text = write.content().utf8();
        if (text.isEmpty()) {
            lines.add("(no text)");
            return lines;
        }
        var all = text.get().lines().toList();
        all.stream().limit(MOST_LINES).forEach(lines::add);
        if (all.size() > MOST_LINES) {
            lines.add("(and " + (all.size() - MOST_LINES) + " more lines)");
        }
        return lines;
    }
}
