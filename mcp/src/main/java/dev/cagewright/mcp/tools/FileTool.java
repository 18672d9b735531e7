package dev.cagewright.mcp.tools;

import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import java.io.IOException;
import java.util.Map;

/// What acts on files have in common: the gate, the cage, and the words for a refusal.
///
/// @param cage the one that calls share
record FileTool(ToolGround ground, CallCage cage) {
    /// errno(3)
    private static final int ENOENT = 2;

    private static final int EACCES = 13;
    private static final int EEXIST = 17;
    private static final int ENODEV = 19;
    private static final int ENOTDIR = 20;
    private static final int EISDIR = 21;
    private static final int EFBIG = 27;
    private static final int EROFS = 30;
    private static final int ELOOP = 40;

    private static final String NOT_HERE =
            "nobody in the cage may write there: it is read-only, protected (docs/protected-paths.md) or another user's";

    private static final Map<Integer, String> WORDS = Map.of(
            ENOENT, "there is no such file or directory",
            EACCES, NOT_HERE,
            EROFS, NOT_HERE,
            EEXIST, "it is there already (mode overwrite or append takes it)",
            ENODEV, "it is a pipe, a socket or a device, and no regular file",
            ENOTDIR, "it is no directory",
            EISDIR, "it is a directory (run_command with ls shows what is in it)",
            EFBIG, "it would be larger than files may be here");

    /// What came of an act, and by what right.
    record Acted(Warrant warrant, FileActed result) {}

    /// @param act its path as policies have it
    Acted act(FileAct act, Call call) throws DeniedException, ConfinementException, IOException, InterruptedException {
        var warrant = call.asking(() -> ground.session().pass(act));
        try (var part = taken(warrant, act)) {
            return new Acted(warrant, part.cage().act(warrant, act));
        }
    }

    private CallCage.Part taken(Warrant warrant, FileAct act)
            throws ConfinementException, IOException, InterruptedException {
        try {
            return cage.take();
        } catch (ConfinementException e) {
            ground.session().unbuilt(warrant, act, e);
            throw e;
        }
    }

    static ToolAnswer refused(FileActed.Refused refused, Warrant warrant) {
        var text = new StringBuilder(refused.path().printable()).append(": ");
        if (refused.errno() == ELOOP) {
            text.append("is a link to ")
                    .append(refused.link().printable())
                    .append(", and none is followed (name the file itself)");
        } else {
            text.append(WORDS.getOrDefault(refused.errno(), refused.reason()));
            text.append(" (").append(refused.reason()).append(')');
        }
        return ToolAnswer.refused(text.toString(), warrant);
    }
}
