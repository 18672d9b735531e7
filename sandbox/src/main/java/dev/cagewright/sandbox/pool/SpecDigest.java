package dev.cagewright.sandbox.pool;

import dev.cagewright.policy.action.ByteString;
import dev.cagewright.sandbox.CageSpec;
import dev.cagewright.sandbox.Diversion;
import dev.cagewright.sandbox.ExecRights;
import dev.cagewright.sandbox.HostDirectory;
import dev.cagewright.sandbox.Limits;
import dev.cagewright.sandbox.Mask;
import dev.cagewright.sandbox.Mount;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;

/// SHA-256 over everything in a specification but its name: two specifications with one digest ask for the same
/// cage. The order of mounts, masks and paths does not count.
///
/// @param hex 64 lower-case digits
public record SpecDigest(String hex) {
    public static SpecDigest of(CageSpec spec) {
        var bytes = new Bytes();
        addDirectory(bytes, spec.workspace());
        bytes.number(spec.mounts().size());
        spec.mounts().stream()
                .sorted(Comparator.comparing(mount -> mount.at().value()))
                .forEach(mount -> addMount(bytes, mount));
        bytes.number(spec.diversions().size());
        spec.diversions().stream()
                .sorted(Comparator.comparing(Diversion::at))
                .forEach(diversion -> addDiversion(bytes, diversion));
        bytes.number(spec.masks().size());
        spec.masks().stream()
                .sorted(Comparator.comparing(Mask::path).thenComparing(Mask::kind))
                .forEach(
                        mask -> bytes.text(mask.path()).text(mask.kind().name()).text(mask.text()));
        addExec(bytes, spec.exec());
        addLimits(bytes, spec.limits());
        bytes.text(spec.netCell().name()).text(spec.hostname());
        return new SpecDigest(HexFormat.of().formatHex(bytes.sha256()));
    }

    private static void addDirectory(Bytes bytes, HostDirectory directory) {
        var identity = directory.identity();
        bytes.text(directory.path())
                .text(directory.access().name())
                .number(identity.device())
                .number(identity.inode())
                .number(identity.owner())
                .number(identity.group());
    }

    private static void addMount(Bytes bytes, Mount mount) {
        bytes.text(mount.at().value()).text(mount.access().name());
        switch (mount.source()) {
            case Mount.HostPath(var path) -> bytes.text("host").text(path);
            case Mount.Looked(var directory) -> addDirectory(bytes.text("looked"), directory);
            case Mount.Tmpfs(long size) -> bytes.text("tmpfs").number(size);
            case Mount.Text(var content) -> bytes.text("text").text(content);
        }
    }

    private static void addDiversion(Bytes bytes, Diversion diversion) {
        bytes.text(diversion.at()).text(diversion.kind().name());
        addDirectory(bytes, diversion.folder());
    }

    private static void addExec(Bytes bytes, ExecRights exec) {
        switch (exec) {
            case ExecRights.Everything _ -> bytes.number(-1);
            case ExecRights.Only(var paths) -> {
                bytes.number(paths.size());
                paths.stream().sorted().forEach(bytes::text);
            }
        }
    }

    private static void addLimits(Bytes bytes, Limits limits) {
        bytes.text(limits.wall().toString())
                .number(limits.outputBytes())
                .number(limits.processes())
                .number(limits.memoryBytes())
                .number(Double.doubleToLongBits(limits.cpus()))
                .number(limits.fileSize())
                .number(limits.disk())
                .number(limits.openFiles());
    }

    /// The first twelve digits, for people.
    @Override
    public String toString() {
        return hex.substring(0, 12);
    }

    /// Numbers of eight bytes, texts behind their length: no two lists of fields are the same bytes.
    private static final class Bytes {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(512);

        Bytes number(long value) {
            out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
            return this;
        }

        Bytes text(ByteString value) {
            number(value.size());
            out.writeBytes(value.toByteArray());
            return this;
        }

        Bytes text(String value) {
            return text(ByteString.of(value));
        }

        byte[] sha256() {
            try {
                return MessageDigest.getInstance("SHA-256").digest(out.toByteArray());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e); // every Java platform has it
            }
        }
    }
}
