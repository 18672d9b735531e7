package dev.cagewright.supervisor.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.audit.json.JsonObject;
import dev.cagewright.policy.action.ByteString;
import dev.cagewright.policy.document.Isolation;
import dev.cagewright.policy.gate.DeniedException;
import dev.cagewright.policy.gate.Warrant;
import dev.cagewright.sandbox.Cage;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Run;
import dev.cagewright.sandbox.Runtime;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.namespaces.NamespacesRuntime;
import dev.cagewright.sandbox.unisolated.UnisolatedRuntime;
import dev.cagewright.supervisor.copy.Mechanism;
import dev.cagewright.supervisor.copy.SessionCopy;
import dev.cagewright.supervisor.policyfile.PolicyFiles;
import dev.cagewright.supervisor.state.OwnFiles;
import dev.cagewright.supervisor.state.SessionId;
import dev.cagewright.supervisor.state.StateFolders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs that work on a copy of the workspace.
class CopiedRunTest {
    private static final String COPY = "fs: {mounts: [{path: /workspace, mode: rw, source: session-copy}]}\n";

    @TempDir
    private Path folder;

    private Path workspace = Path.of("/");
    private Path state = Path.of("/");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @BeforeEach
    void folders() throws IOException {
        workspace = Files.createDirectory(folder.resolve("workspace")).toRealPath();
        state = folder.resolve("state");
    }

    private static final class Bystander implements RunWatcher {
        @Override
        public void starting(Warrant warrant, List<String> notices) {}

        @Override
        public Watch started(Run run) {
            return () -> {};
        }
    }

    private CageTerms terms(String text) throws Exception {
        var file = Files.writeString(folder.resolve("policy.yaml"), text);
        var files = new PolicyFiles(folder.resolve("none"), folder.resolve("none"), folder.resolve("none"));
        return PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), IsolationWish.CAGE)
                .terms();
    }

    private RunOutcome run(CageTerms terms, RuntimeSource runtime, String... argv)
            throws DeniedException, IOException, InterruptedException, UnavailableLogException {
        var own = Files.createDirectories(state.resolve("s"));
        var folders = new StateFolders(folder.resolve("config"), state);
        var place = new Session.Place(own, new OwnFiles(folders, folder.resolve("audit.jsonl"), List.of()));
        try (var session = Session.open(new SessionId("abcdefghij"), terms, place, (_, _) -> JsonObject.EMPTY)) {
            var request = new RunRequest(
                    Arrays.stream(argv).map(ByteString::of).toList(),
                    ByteString.of(workspace.toString()),
                    Map.of(ByteString.of("HOME"), ByteString.of(folder.toString())),
                    new Streams.Pipes(InputStream.nullInputStream(), out, out));
            var warrant = session.gate().pass(session.programOf(request));
            return session.run(warrant, request, runtime, new Bystander());
        }
    }

    /// The policy starts no shell by itself; an interpreter may start one.
    private void write(String script) throws IOException {
        Files.writeString(workspace.resolve("script"), script);
        Files.writeString(workspace.resolve("run.py"), """
                import os
                os.dup2(1, 2)
                os.execv("/bin/sh", ["sh", "-c", open("script").read()])
                """);
    }

    private RunOutcome.Ended script(CageTerms terms, String script)
            throws DeniedException, IOException, InterruptedException, UnavailableLogException {
        write(script);
        var outcome = run(terms, NamespacesRuntime::start, "/usr/bin/python3", "run.py");
        assertThat(outcome).isInstanceOf(RunOutcome.Ended.class);
        return (RunOutcome.Ended) outcome;
    }

    private void repository() throws IOException {
        Files.createDirectories(workspace.resolve(".git/objects"));
        Files.createDirectories(workspace.resolve(".git/refs"));
        Files.writeString(workspace.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    }

    private Map<String, String> manifest() throws IOException {
        var lines = new TreeMap<String, String>();
        try (var tree = Files.walk(workspace)) {
            for (var path : (Iterable<Path>) tree::iterator) {
                lines.put(
                        path.toString(),
                        Files.readAttributes(path, "unix:mode,ino,nlink,size,lastModifiedTime,ctime")
                                + (Files.isRegularFile(path) ? Files.readString(path) : ""));
            }
        }
        return lines;
    }

    private SessionCopy copy() throws IOException {
        var copies = SessionCopy.all(state.resolve("s"));
        assertThat(copies).hasSize(1);
        return copies.getFirst();
    }

    @Test
    void two_phases_work_on_one_copy_and_nothing_of_the_first_lives_on() throws Exception {
        Files.writeString(workspace.resolve("file"), "old\n");
        write("echo new > file; echo x > added; (setsid sh -c 'sleep 300; echo y > late' &) ; echo z > /tmp/own");
        var terms = terms(COPY);
        var own = Files.createDirectories(state.resolve("s"));
        var place = new Session.Place(
                own,
                new OwnFiles(
                        new StateFolders(folder.resolve("config"), state), folder.resolve("audit.jsonl"), List.of()));
        try (var session = Session.open(new SessionId("abcdefghij"), terms, place, (_, _) -> JsonObject.EMPTY)) {
            var first = session.under(terms, (_, _) -> JsonObject.EMPTY);
            var request = new RunRequest(
                    List.of(ByteString.of("/usr/bin/python3"), ByteString.of("run.py")),
                    ByteString.of(workspace.toString()),
                    Map.of(ByteString.of("HOME"), ByteString.of(folder.toString())),
                    new Streams.Pipes(InputStream.nullInputStream(), out, out));
            var one = first.gate().pass(first.programOf(request));
            first.run(one, request, NamespacesRuntime::start, new Bystander());
            var made = copy().made();

            var two = session.gate().pass(session.programOf(request));
            assertThat(two.id().value()).isEqualTo("abcdefghij-2");
            Files.writeString(workspace.resolve("script"), "cat file added; ls /tmp; ps ax 2>&1");
            session.run(two, request, NamespacesRuntime::start, new Bystander());

            assertThat(out.toString(StandardCharsets.UTF_8))
                    .startsWith("new\nx\n")
                    .doesNotContain("own", "sleep 300");
            assertThat(copy().made()).isEqualTo(made);
        }
        assertThat(Files.readString(workspace.resolve("file"))).isEqualTo("old\n");
        assertThat(workspace.resolve("added")).doesNotExist();
    }

    @Test
    void the_host_keeps_its_files_and_the_changes_are_kept_beside_the_session() throws Exception {
        repository();
        Files.writeString(workspace.resolve("file"), "old\n");
        write("echo new > file; echo x > added; cat file; echo y > .git/index");
        var before = manifest();

        var outcome = run(terms(COPY), NamespacesRuntime::start, "/usr/bin/python3", "run.py");

        assertThat(manifest()).isEqualTo(before);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("new\n");
        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.Ended.class, ended -> {
            assertThat(ended.afterwards()).containsExactly("changes are kept: cagewright changes abcdefghij");
            assertThat(ended.notices())
                    .contains(workspace + ": the program works on a copy (overlay), the host keeps its files");
            assertThat(ended.enforcement().enforced())
                    .anySatisfy(one ->
                            assertThat(one.limit() + " " + one.mechanism()).isEqualTo("copy overlay"));
        });
        var copy = copy();
        assertThat(copy.mechanism()).isEqualTo(Mechanism.OVERLAY);
        assertThat(copy.held()).isEmpty();
        assertThat(copy.lower()).isEqualTo(ByteString.of(workspace.toString()));
        assertThat(copy.root().inode()).isEqualTo(Files.getAttribute(workspace, "unix:ino"));
        assertThat(copy.work()).doesNotExist();
        try (var kept = Files.walk(copy.upper())) {
            assertThat(kept.map(path -> copy.upper().relativize(path).toString())
                            .sorted())
                    .containsExactly("", ".git", ".git/index", "added", "file");
        }
    }

    @Test
    void I9_absent_protected_names_are_held_free_in_the_copy_and_never_on_the_host() throws Exception {
        repository();
        write("""
                ls -Ad .envrc .git/commondir
                echo x > .envrc; echo /elsewhere > .git/commondir; mkdir .git/hooks
                mv .git away; rmdir .envrc; echo x > allowed""");
        var before = manifest();

        var outcome = run(terms(COPY), NamespacesRuntime::start, "/usr/bin/python3", "run.py");

        assertThat(outcome.notices()).noneMatch(notice -> notice.contains("cannot be held free"));
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith(".envrc\n.git/commondir\n")
                .contains("cannot create .git/commondir: Read-only file system")
                .contains("'.git' to 'away': Device or resource busy");
        assertThat(manifest()).isEqualTo(before);
        var copy = copy();
        try (var kept = Files.walk(copy.upper())) {
            assertThat(kept.map(path -> copy.upper().relativize(path).toString())
                            .sorted())
                    .containsExactly("", "allowed");
        }
    }

    @Test
    void what_is_hidden_stays_hidden_in_the_copy() throws Exception {
        Files.writeString(workspace.resolve("key.pem"), "secret");
        var terms = terms(
                "fs:\n  hide: [\"**/key.pem\"]\n  mounts: [{path: /workspace, mode: rw, source: session-copy}]\n");

        script(terms, "cat key.pem; rm -f key.pem; cp key.pem other");

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("cat: key.pem: Permission denied")
                .contains("Device or resource busy");
    }

    @Test
    void a_run_that_changes_nothing_says_so() throws Exception {
        write("");
        assertThat(run(terms(COPY), NamespacesRuntime::start, "/bin/true"))
                .isInstanceOfSatisfying(
                        RunOutcome.Ended.class,
                        ended -> assertThat(ended.afterwards()).containsExactly("nothing was changed in the copy"));
    }

    @Test
    void more_bytes_than_the_limit_end_the_run() throws Exception {
        var ended = script(
                terms("resources: {disk: 4MiB}\n" + COPY),
                "i=0; while :; do head -c 1000000 /dev/zero > f$i; i=$((i+1)); done");

        assertThat(ended.exit().cause()).isEqualTo(Exit.Cause.DISK);
        assertThat(ended.exit().detail()).isEqualTo("the session's copies hold more bytes than their limit");
        assertThat(ended.exit().status()).isEqualTo(137);
        assertThat(ended.enforcement().gaps()).extracting(gap -> gap.limit()).doesNotContain("disk", "files");
    }

    @Test
    void more_files_than_the_limit_end_the_run_and_as_many_as_it_allows_do_not() throws Exception {
        var terms = terms("resources: {files: 100}\n" + COPY);
        var within = script(terms, "i=0; while [ $i -lt 50 ]; do : > f$i; i=$((i+1)); done");
        assertThat(within.exit().cause()).isEqualTo(Exit.Cause.EXITED);

        var ended = script(terms, "i=0; while :; do : > g$i; i=$((i+1)); done");
        assertThat(ended.exit().cause()).isEqualTo(Exit.Cause.FILES);
        assertThat(ended.exit().detail()).isEqualTo("the session's copies hold more files than their limit");
    }

    @Test
    void one_file_cannot_be_larger_than_all_may_be() throws Exception {
        var ended = script(terms("resources: {disk: 1MiB}\n" + COPY), "head -c 5000000 /dev/zero > big; echo $?");

        assertThat(ended.exit().status()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("File too large\n1\n");
        assertThat(Files.size(copy().upper().resolve("big"))).isEqualTo(1 << 20);
    }

    @Test
    void a_person_can_ask_for_a_copy_that_the_policy_does_not_ask_for() throws Exception {
        var terms = terms("resources: {disk: 1GiB}\nfs: {mounts: [{path: /workspace, mode: rw}]}\n");
        assertThat(terms.gaps()).extracting(gap -> gap.limit()).containsExactly("disk");

        script(terms.withCopiedWorkspace(), "echo x > made");

        assertThat(workspace.resolve("made")).doesNotExist();
        assertThat(copy().upper().resolve("made")).exists();
        assertThat(terms.withCopiedWorkspace().gaps()).isEmpty();
    }

    @Test
    void a_copy_of_what_can_only_be_read_is_the_thing_itself() throws Exception {
        var terms = terms("fs: {mounts: [{path: /workspace, mode: ro, source: session-copy}]}\n");

        script(terms, "cat script; echo x > made");

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("cat script").contains("Read-only file system");
        assertThat(SessionCopy.all(state.resolve("s"))).isEmpty();
    }

    @Test
    void other_mounts_have_copies_too() throws Exception {
        var data = Files.createDirectories(folder.toRealPath().resolve("data"));
        Files.writeString(data.resolve("d"), "old\n");
        var terms = terms(
                "fs: {mounts: [{path: /workspace, mode: rw}, {path: " + data + ", mode: rw, source: session-copy}]}\n");

        script(terms, "echo new > " + data + "/d; echo x > made");

        assertThat(data.resolve("d")).hasContent("old\n");
        assertThat(workspace.resolve("made")).exists();
        assertThat(copy().at()).hasToString(data.toString());
        assertThat(copy().upper().resolve("d")).hasContent("new\n");
    }

    @Test
    void a_workspace_that_holds_the_state_folder_is_refused_and_nothing_is_left() throws Exception {
        state = workspace.resolve("state");

        var outcome = run(terms(COPY), NamespacesRuntime::start, "/bin/true");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RunOutcome.NoCage.class,
                        refused -> assertThat(refused.cause())
                                .hasMessageStartingWith(
                                        "copy: divert(" + workspace + "): it holds the folder of its own"));
        assertThat(SessionCopy.all(state.resolve("s"))).isEmpty();
        assertThat(state.resolve("s/copy")).doesNotExist();
    }

    @Test
    void without_a_cage_there_is_no_copy_and_nothing_runs() throws Exception {
        var unsafe =
                new IsolationWish(Optional.empty(), Set.of(Isolation.NAMESPACES), IsolationWish.Consent.NO_ISOLATION);
        var file = Files.writeString(folder.resolve("policy.yaml"), COPY);
        var files = new PolicyFiles(folder.resolve("none"), folder.resolve("none"), folder.resolve("none"));
        var terms = PolicyInForce.of(files.layersOver(Optional.of(PolicyFiles.load(file))), unsafe)
                .terms();

        var outcome = run(terms, UnisolatedRuntime::start, "/usr/bin/touch", "ran");

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        RunOutcome.NoCage.class,
                        refused -> assertThat(refused.cause())
                                .hasMessage("copy: divert(" + workspace
                                        + "): a program without a cage writes to the host"));
        assertThat(workspace).isEmptyDirectory();
    }

    /// The namespaces runtime on a kernel that has no overlay for a cage.
    private record NoOverlays(Runtime runtime) implements Runtime {
        static Runtime start() throws ConfinementException {
            return new NoOverlays(NamespacesRuntime.start());
        }

        @Override
        public String name() {
            return runtime.name();
        }

        @Override
        public Cage create(CageSpec spec) throws ConfinementException {
            for (var diversion : spec.diversions()) {
                if (diversion.kind() == Diversion.Kind.OVERLAY) {
                    throw new ConfinementException("overlay", "fsopen(overlay)", "No such device", "none");
                }
            }
            return runtime.create(spec);
        }

        @Override
        public Spare spare(CageSpec spec) throws ConfinementException {
            return runtime.spare(spec);
        }

        @Override
        public void close() {
            runtime.close();
        }
    }

    @Test
    void where_no_overlay_can_be_had_the_whole_tree_is_copied_and_this_is_told() throws Exception {
        repository();
        Files.writeString(workspace.resolve("file"), "old\n");
        write("echo new > file; rm -r .git/refs; echo x > .envrc; cat file");
        var before = manifest();

        var outcome = run(terms(COPY), NoOverlays::start, "/usr/bin/python3", "run.py");

        assertThat(manifest()).isEqualTo(before);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("cannot create .envrc")
                .endsWith("new\n");
        assertThat(copy().mechanism()).isIn(Mechanism.COPY, Mechanism.REFLINK);
        assertThat(copy().held()).isEmpty();
        assertThat(copy().upper().resolve("file")).hasContent("new\n");
        assertThat(copy().upper().resolve(".git/HEAD")).exists();
        assertThat(copy().upper().resolve(".git/refs")).doesNotExist();
        assertThat(copy().upper().resolve(".envrc")).doesNotExist();
        assertThat(outcome.notices())
                .contains(workspace + ": everything was copied, because overlay: fsopen(overlay): No such device");
        assertThat(outcome.toJson().write())
                .contains("\"limit\":\"copy\"")
                .contains("\"mechanism\":\"" + copy().mechanism().word() + "\"");
    }

    @Test
    void a_tree_that_is_too_large_to_be_copied_is_refused_and_nothing_runs() throws Exception {
        write("touch ran");
        var outcome = run(terms("resources: {files: 1}\n" + COPY), NoOverlays::start, "/usr/bin/python3", "run.py");

        assertThat(outcome).isInstanceOfSatisfying(RunOutcome.NoCage.class, refused -> {
            assertThat(refused.cause()).hasMessageStartingWith("copy: copy(" + workspace + "): more than 1 files or");
            assertThat(refused.cause().remedy())
                    .isEqualTo(
                            "an overlay would need no copy, and there is none: overlay: fsopen(overlay): No such device");
        });
        assertThat(state.resolve("s/copy")).doesNotExist();
    }
}
