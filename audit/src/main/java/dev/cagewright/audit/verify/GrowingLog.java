package dev.cagewright.audit.verify;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.cagewright.audit.chain.BrokenChainException;
import dev.cagewright.audit.chain.ChainWalker;
import dev.cagewright.audit.chain.ChainWalker.Freeze;
import dev.cagewright.audit.chain.Head;
import dev.cagewright.audit.chain.LineScanner;
import dev.cagewright.audit.checkpoint.Checkpoint;
import dev.cagewright.audit.checkpoint.CheckpointFiles;
import dev.cagewright.audit.checkpoint.LogState;
import dev.cagewright.audit.checkpoint.TreeFile;
import dev.cagewright.audit.key.PinnedKey;
import dev.cagewright.audit.merkle.CompactRange;
import dev.cagewright.audit.merkle.TreeHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A log whose growth is verified as it comes, for whoever signs it again and again. Goes on behind the newest
/// checkpoint
/// beside the log if its own key signed that and `<log>.tree` belongs to it; otherwise it reads everything once. Closed
/// by
/// whoever opened it. Not safe for several threads.
public final class GrowingLog implements AutoCloseable {
    /// 64 digits, `"}` and a line feed: how every line ends.
    private static final int HASH_AND_END = 67;

    private final Path log;
    private final FileChannel file;
    private final Object identity;
    private final Optional<Checkpoint> newest;
    private final CompactRange tree;
    private final ChainWalker walker;
    private final LineScanner scanner;
    private String id;

    private GrowingLog(Path log, FileChannel file, Optional<Checkpoint> newest, Start start) throws IOException {
        this.log = log;
        this.file = file;
        this.identity = identity(log);
        this.newest = newest;
        this.tree = start.tree();
        this.id = start.id();
        this.walker = new ChainWalker(start.head(), Freeze.OPEN);
        this.scanner = new LineScanner(file, start.head().end());
    }

    /// Where the reading starts.
    private record Start(String id, CompactRange tree, Head head) {}

    /// Opens `log` for the holder of `key`.
    ///
    /// @throws IOException if it cannot be read, or the newest checkpoint beside it cannot
    public static GrowingLog open(Path log, PinnedKey key) throws IOException {
        var path = log.toAbsolutePath();
        var newest = new CheckpointFiles(path).newest();
        var file = FileChannel.open(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        try {
            return new GrowingLog(path, file, newest, start(path, file, newest.filter(own -> own.signedBy(key))));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static Start start(Path log, FileChannel file, Optional<Checkpoint> own) throws IOException {
        if (own.isPresent()) {
            var known = TreeFile.of(log, own.get());
            if (known.isPresent()
                    && endsThere(file, known.get().offset(), own.get().head())) {
                var head = new Head(
                        own.get().seq(),
                        own.get().head(),
                        Instant.MIN,
                        known.get().offset());
                return new Start(own.get().log(), known.get().tree(), head);
            }
        }
        return new Start("", CompactRange.empty(), Head.START);
    }

    /// Does a line with this hash end at `offset`?
    private static boolean endsThere(FileChannel file, long offset, String hash) throws IOException {
        if (offset < HASH_AND_END || offset > file.size()) {
            return false;
        }
        var end = ByteBuffer.allocate(HASH_AND_END);
        while (end.hasRemaining() && file.read(end, offset - HASH_AND_END + end.position()) > 0) {}
        return new String(end.array(), US_ASCII).equals(hash + "\"}\n");
    }

    /// Verifies what was appended since, up to the last whole line.
    ///
    /// @return how far the log has come; with a tree of no lines if there is none yet
    /// @throws BrokenChainException if it is not what its writer wrote, or not the log of the newest checkpoint
    public LogState advance() throws IOException, BrokenChainException {
        stillThere();
        for (var line = scanner.nextOrNull(); line != null; line = scanner.nextOrNull()) {
            var parsed = walker.next(line);
            tree.add(TreeHash.leaf(line));
            if (parsed.seq() == 1) {
                id = parsed.event().detail().text("log").orElse("");
            }
            if (newest.isPresent() && newest.get().seq() == tree.size()) {
                held(newest.get());
            }
        }
        if (newest.isPresent() && newest.get().seq() > tree.size()) {
            throw new BrokenChainException(
                    tree.size() + 1,
                    walker.head().end(),
                    "the log ends here, but a checkpoint was signed for line "
                            + newest.get().seq());
        }
        return state();
    }

    private void held(Checkpoint checkpoint) throws BrokenChainException {
        var state = state();
        if (!checkpoint.log().equals(state.log())
                || !checkpoint.head().equals(state.head())
                || !checkpoint.tree().equals(state.tree())) {
            throw new BrokenChainException(
                    0, 0, "the log is not the one that the checkpoint of line " + checkpoint.seq() + " was signed for");
        }
    }

    private LogState state() {
        return new LogState(id, tree.head(), walker.head().hash());
    }

    /// The newest checkpoint beside the log when it was opened.
    public Optional<Checkpoint> newest() {
        return newest;
    }

    /// Keeps the tree for the next time, after a checkpoint of exactly this state was written.
    ///
    /// @throws IOException if it cannot be written: the next time reads more
    public void remember() throws IOException {
        if (walker.freeze() == Freeze.OPEN) {
            new TreeFile(walker.head().end(), tree).write(log);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private void stillThere() throws IOException, BrokenChainException {
        if (!identity(log).equals(identity)) {
            throw new IOException("audit log " + log + " was replaced by another file");
        }
        if (file.size() < walker.head().end()) {
            throw new BrokenChainException(
                    walker.head().seq(), file.size(), "the log was cut while its growth was followed");
        }
    }

    private static Object identity(Path log) throws IOException {
        return Objects.requireNonNull(Files.readAttributes(log, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey());
    }
}
