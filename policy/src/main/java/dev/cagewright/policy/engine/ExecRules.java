package dev.cagewright.policy.engine;

import dev.cagewright.policy.action.Action;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.action.GuestPath;
import dev.cagewright.policy.argv.ArgvReader;
import dev.cagewright.policy.argv.ArgvReading;
import dev.cagewright.policy.argv.ExecAllowlist;
import dev.cagewright.policy.decision.Decision;
import dev.cagewright.policy.decision.DenyCode;
import dev.cagewright.policy.document.ExecSection;
import dev.cagewright.policy.document.Mount;
import java.util.List;
import java.util.Optional;

/// The rules about programs of one document, compiled: no code in arguments, no name that is not what it seems, then
/// the allowlist for every program that the list names.
final class ExecRules {
    private static final Decision LISTED = new Decision.Allow(Rules.ALLOWLIST);
    private static final Decision ANY = new Decision.Allow(Rules.ANY_PROGRAM);
    private static final Decision SILENT = new Decision.Allow(Rules.SILENT);

    /// Writable in every cage, whatever its mounts.
    private static final List<GuestPath> WRITABLE = List.of(
            new GuestPath("/tmp"),
            new GuestPath("/var/tmp"),
            new GuestPath("/dev"),
            new GuestPath("/run"),
            new GuestPath("/proc"),
            new GuestPath("/home"),
            new GuestPath("/root"));

    private final Optional<ExecAllowlist> allowlist;
    private final List<String> spelledOut;
    private final FsRules fs;
    private final Decision unlistedAnswer;

    private ExecRules(Optional<List<String>> allowlist, FsRules fs, Decision unlistedAnswer) {
        this.allowlist = allowlist.map(ExecAllowlist::new);
        this.spelledOut = allowlist.orElse(List.of()).stream()
                .filter(entry -> entry.startsWith("/"))
                .toList();
        this.fs = fs;
        this.unlistedAnswer = unlistedAnswer;
    }

    static ExecRules of(Optional<ExecSection> section, FsRules fs, Terms terms) {
        return new ExecRules(
                section.flatMap(ExecSection::allowlist), fs, terms.silence() == Terms.Silence.ABSTAINS ? SILENT : ANY);
    }

    Decision judge(Action.ProcExec action) {
        var reading = ArgvReader.read(action.argv());
        if (reading.code().isPresent()) {
            return new Decision.Deny(
                    Rules.SHELL, DenyCode.SHELL, reading.code().get().toString());
        }
        for (ArgvReading.Started started : reading.programs()) {
            var trouble = trouble(action.argv().get(started.at()));
            if (!trouble.isEmpty()) {
                return new Decision.Deny(
                        Rules.PROGRAM_NAME,
                        DenyCode.FORBIDDEN,
                        "argv[" + started.at() + "]: " + action.argv().get(started.at()) + " " + trouble);
            }
        }
        return allowlist.isEmpty() ? unlistedAnswer : listed(allowlist.get(), action, reading);
    }

    private static Decision listed(ExecAllowlist allowlist, Action.ProcExec action, ArgvReading reading) {
        return allowlist
                .firstMissing(reading.programs())
                .<Decision>map(missing -> new Decision.Deny(
                        List.of(Rules.ALLOWLIST, Rules.DEFAULT),
                        DenyCode.NO_RULE,
                        "argv[" + missing.at() + "]: " + action.argv().get(missing.at()) + " is not on exec.allowlist"))
                .orElse(LISTED);
    }

    private String trouble(ByteString written) {
        var text = written.utf8();
        if (text.isEmpty() || text.get().codePoints().anyMatch(ExecRules::isUnseen)) {
            return "has characters that cannot be seen (expected: a plain name)";
        }
        if (text.get().indexOf('/') < 0 || spelledOut.contains(text.get())) {
            return "";
        }
        if (!text.get().startsWith("/")
                || !GuestPath.canonical(text.get()).value().equals(text.get())) {
            return "is a path that depends on where it stands (expected: a bare name, or an absolute canonical path)";
        }
        return isWritable(new GuestPath(text.get()))
                ? "lies where the workload can write (expected: a program that the cage cannot change; exec.allowlist can name this very path)"
                : "";
    }

    private boolean isWritable(GuestPath program) {
        var mount = fs.mountOf(program);
        return mount.map(found -> found.mode() == Mount.Access.RW)
                .orElseGet(() -> WRITABLE.stream().anyMatch(program::isWithin));
    }

    /// Controls, format characters, blanks of any kind, and letters without ink.
    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> true;
            default ->
                point == 0x034f
                        || point == 0x115f
                        || point == 0x1160
                        || point == 0x3164
                        || point == 0xffa0
                        || (point >= 0xfe00 && point <= 0xfe0f)
                        || (point >= 0xe0100 && point <= 0xe01ef);
        };
    }
}
