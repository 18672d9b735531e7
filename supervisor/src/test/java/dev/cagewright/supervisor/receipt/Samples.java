package dev.cagewright.supervisor.receipt;

import dev.cagewright.audit.json.JsonString;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.key.SigningKey;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.Enforcement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A receipt with something in each of its places, and a key to sign it.
public final class Samples {
    static final String DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    private Samples() {}

    public record Keys(SigningKey secret, PinnedKey open, Path prefix) {
        public static Keys in(Path folder) throws IOException {
            var prefix = folder.resolve("key");
            var open = SigningKey.generate(prefix);
            return new Keys(SigningKey.read(folder.resolve("key.secret.hex")), open, prefix);
        }
    }

    public static Receipt receipt() {
        var start = Instant.parse("2026-01-02T03:04:05.678901234Z");
        return new Receipt(
                new RunStated(
                        "abcdefghij",
                        "sample \u202e",
                        Argv.of(List.of(ByteString.of("printf"), ByteString.copyOf(new byte[] {(byte) 0xff, '\n'}))),
                        "/work space",
                        List.of("HOME", "PATH"),
                        List.of(
                                new RunStated.Phase("asked", start),
                                new RunStated.Phase("recorded", start.plusMillis(1500))),
                        Optional.empty(),
                        Optional.empty()),
                new Product("0.1.0", DIGEST),
                List.of(new PolicyLayer("project", "./p.yaml", DIGEST)),
                new CageStated(
                        "namespaces",
                        List.of("unsafe-no-isolation"),
                        new Enforcement(
                                List.of(new Enforcement.Enforced("memory", "cgroup", "1 byte")),
                                List.of(new Enforcement.Gap("disk", "not counted", "use a quota"))),
                        List.of(new CageStated.Place("/w", "host /w", "rw"))),
                new Decisions(
                        1,
                        1,
                        List.of(new Decisions.Denial("abcdefghij-2", "fs.read", List.of("default:deny"), "no")),
                        List.of(new Decisions.Lent("github_token", 2), new Decisions.Lent("other", 0))),
                new ChangesStated(
                        "",
                        1,
                        DIGEST,
                        List.of(new ChangedFile(new JsonString("a/b"), "/w", "modified", "file", DIGEST, "", 3)),
                        List.of("c could not be read")),
                new RunEnd(
                        "exited",
                        3,
                        3,
                        "",
                        new RunEnd.Used(1, 2, 3, 4, 5, 6),
                        List.of("a notice"),
                        List.of("a finding")),
                new LogRange("0".repeat(32), 2, DIGEST, 2, 7, DIGEST));
    }

    /// The same with a set-up before.
    public static Receipt receiptOfTwoPhases() {
        var one = receipt();
        var run = one.run();
        return new Receipt(
                new RunStated(
                        run.session(),
                        run.cage(),
                        run.argv(),
                        run.directory(),
                        run.environment(),
                        run.phases(),
                        Optional.of(new SetupStated(
                                Argv.of(List.of(ByteString.of("npm"), ByteString.of("ci"))), one.cage(), one.end())),
                        Optional.empty()),
                one.product(),
                one.policy(),
                one.cage(),
                one.decisions(),
                one.changes(),
                RunEnd.notBegun("the set-up ended with 1", 123),
                one.log());
    }
}
