package dev.cagewright.sandbox.namespaces;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.ConfinementException;
import dev.cagewright.sandbox.Exit;
import dev.cagewright.sandbox.Streams;
import dev.cagewright.sandbox.act.FileAct;
import dev.cagewright.sandbox.act.FileActed;
import dev.cagewright.sandbox.kernel.Errno;
import dev.cagewright.sandbox.kernel.Processes;
import dev.cagewright.sandbox.namespaces.tree.Payload;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One [FileAct] on its way to the helper and back; the mirror of `act.c`. For one thread.
final class FileActing {
    /// A file system of the network may hang.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int READ = 1;
    private static final int CREATE = 2;
    private static final int REPLACE = 3;
    private static final int APPEND = 4;
    private static final int PARENTS = 1;
    private static final ByteString NOTHING = ByteString.of("");

    private final FileAct act;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final ByteArrayOutputStream report = new ByteArrayOutputStream();

    FileActing(FileAct act) {
        this.act = act;
    }

    Streams streams() {
        return new Streams.Pipes(InputStream.nullInputStream(), content, report);
    }

    byte[] request() {
        var path = ByteString.of(act.path().value());
        return switch (act) {
            case FileAct.Read read ->
                new Payload()
                        .number(READ)
                        .number(0)
                        .size(read.from())
                        .size(read.most())
                        .text(path)
                        .text(NOTHING)
                        .toByteArray();
            case FileAct.Write write ->
                new Payload()
                        .number(kind(write.mode()))
                        .number(write.parents() == FileAct.Parents.MADE ? PARENTS : 0)
                        .size(0)
                        .size(0)
                        .text(path)
                        .text(write.content())
                        .toByteArray();
        };
    }

    private static int kind(FileAct.Mode mode) {
        return switch (mode) {
            case CREATE -> CREATE;
            case REPLACE -> REPLACE;
            case APPEND -> APPEND;
        };
    }

    FileActed await(NamespaceRun run) throws ConfinementException, InterruptedException {
        var exit = run.await(PATIENCE);
        if (exit.isEmpty()) {
            run.signal(Processes.SIGKILL);
            throw failed("it took longer than " + PATIENCE.toSeconds() + " s");
        }
        return acted(exit.get());
    }

    private FileActed acted(Exit exit) throws ConfinementException {
        var words = words(report.toByteArray());
        if (exit.output().truncated()) {
            throw failed("what was read did not get through");
        }
        if (exit.status() == 0 && words.size() == 2) {
            long first = Long.parseLong(latin1(words.get(0)));
            long second = Long.parseLong(latin1(words.get(1)));
            return act instanceof FileAct.Read
                    ? new FileActed.Read(ByteString.copyOf(content.toByteArray()), first)
                    : new FileActed.Written(first == 1 ? FileActed.Was.NOTHING : FileActed.Was.FILE, second);
        }
        if (exit.status() == 1 && words.size() == 4) {
            int errno = Integer.parseInt(latin1(words.get(0)));
            return new FileActed.Refused(errno, Errno.words(errno), words.get(2), words.get(3));
        }
        throw failed(exit.detail().isEmpty() ? "it ended with " + exit.status() : exit.detail());
    }

    private ConfinementException failed(String why) {
        return new ConfinementException("act", act.path().value(), why, "try it again");
    }

    private static String latin1(ByteString word) {
        return new String(word.toByteArray(), StandardCharsets.ISO_8859_1);
    }

    /// What stands before each NUL.
    private static List<ByteString> words(byte[] report) {
        var words = new ArrayList<ByteString>();
        int start = 0;
        for (int i = 0; i < report.length; i++) {
            if (report[i] == 0) {
                words.add(ByteString.copyOf(Arrays.copyOfRange(report, start, i)));
                start = i + 1;
            }
        }
        return words;
    }
}
