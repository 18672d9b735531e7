package dev.cagewright.supervisor.changes;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.files.RelativePath;
import dev.cagewright.sandbox.pivots.HostPivot;
import dev.cagewright.sandbox.protect.ProtectedPaths;
import dev.cagewright.supervisor.copy.SessionCopy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What of a set of changes the host would execute or obey, were they brought over.
///
/// @param findings by path, at most [#LIMIT]
/// @param more how many are left out
public record PivotReport(List<Finding> findings, int more) {
    static final int LIMIT = 500;

    /// As many are told after a run.
    private static final int TOLD = 20;

    private static final int EXECUTE = 0111;
    private static final byte[] UNREADABLE = {};

    /// One path.
    ///
    /// @param sentence what it is and who takes it up, without the path
    public record Finding(RelativePath path, String sentence) {
        /// One line, safe on a terminal.
        public String line() {
            return path + ": " + sentence;
        }
    }

    public PivotReport {
        findings = List.copyOf(findings);
    }

    /// Judges names, modes and first bytes; runs nothing.
    public static PivotReport of(ChangeSet changes) throws IOException {
        var findings = new ArrayList<Finding>();
        int more = 0;
        try (var trees = CopyTrees.open(changes.copy())) {
            for (Change change : changes.changes()) {
                var sentence = sentence(change, trees);
                if (sentence.isPresent() && findings.size() < LIMIT) {
                    findings.add(new Finding(change.path(), sentence.get()));
                } else if (sentence.isPresent()) {
                    more++;
                }
            }
        }
        return new PivotReport(findings, more);
    }

    /// What a person hears after a run: what its copies hold that the host would execute, the first [#TOLD] of each
    /// copy and how many more. A copy that cannot be looked at is told, too.
    ///
    /// @param session the session's folder
    /// @return sentences that are safe on a terminal; empty if there is nothing of the kind
    public static List<String> told(Path session) {
        var told = new ArrayList<String>();
        try {
            for (SessionCopy copy : SessionCopy.all(session)) {
                tell(of(ChangeSet.of(copy)), told);
            }
        } catch (IOException e) {
            told.add("the session's copy could not be looked at after the run: "
                    + ByteString.of(String.valueOf(e.getMessage())).printable());
        }
        return told;
    }

    private static void tell(PivotReport report, List<String> told) {
        report.findings().stream().limit(TOLD).map(Finding::line).forEach(told::add);
        int left = report.findings().size() + report.more() - TOLD;
        if (left > 0) {
            told.add(left + " more that the host would execute");
        }
    }

    private static Optional<String> sentence(Change change, CopyTrees trees) {
        return switch (change) {
            case Change.Added(var path, var after) ->
                takenUp(path, after, trees).map(who -> "is new: " + who);
            case Change.Modified(var path, var _, var after) ->
                takenUp(path, after, trees).map(who -> "was changed: " + who);
            case Change.ModeChanged(var _, Node.File(int was, var _, var _), Node.File(int is, var _, var _)) ->
                (was & EXECUTE) == 0 && (is & EXECUTE) != 0 ? Optional.of("became executable") : Optional.empty();
            case Change.ModeChanged _, Change.Deleted _ -> Optional.empty();
        };
    }

    private static Optional<String> takenUp(RelativePath path, Node after, CopyTrees trees) {
        if (after instanceof Node.Folder || after instanceof Node.Special) {
            return Optional.empty();
        }
        var named = HostPivot.ofName(path).map(HostPivot::sentence);
        if (named.isPresent()) {
            return named;
        }
        var group = ProtectedPaths.groupOf(path);
        if (group.isPresent()) {
            return Optional.of(
                    "agents, editors, shells or git obey it (" + group.get().id() + ")");
        }
        return after instanceof Node.File(int mode, var _, var _)
                ? HostPivot.ofContent(path, mode, head(path, trees)).map(HostPivot::sentence)
                : Optional.empty();
    }

    private static byte[] head(RelativePath path, CopyTrees trees) {
        try {
            return trees.upperBytes(path, HostPivot.HEAD).orElse(UNREADABLE);
        } catch (IOException _) {
            return UNREADABLE; // its permissions still tell
        }
    }
}
