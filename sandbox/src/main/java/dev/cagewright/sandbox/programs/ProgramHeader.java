package dev.cagewright.sandbox.programs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a program file says about its own start: the first bytes, read with bounds, never executed.
sealed interface ProgramHeader {
    /// An ELF file that needs `loader`, its PT_INTERP (elf(5)).
    record DynamicElf(String loader) implements ProgramHeader {}

    /// An ELF file that starts by itself.
    record StaticElf() implements ProgramHeader {}

    /// A script: the words of its `#!` line, at least one (execve(2)).
    record Script(List<String> words) implements ProgramHeader {}

    /// Neither; execve(2) answers ENOEXEC unless binfmt_misc knows it.
    record Unknown() implements ProgramHeader {}

    /// BINPRM_BUF_SIZE of Linux.
    int SHEBANG_LIMIT = 256;

    int HEADER_LIMIT = 128;
    int SEGMENT_LIMIT = 128;
    int LOADER_LIMIT = 4096;
    int PT_INTERP = 3;

    /// Reads the header of `file`.
    ///
    /// @throws IOException if it cannot be read; a malformed one is [Unknown]
    static ProgramHeader read(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            var first = readAt(channel, 0, SHEBANG_LIMIT);
            if (first.remaining() >= 2 && first.get(0) == '#' && first.get(1) == '!') {
                return script(first);
            }
            return isElf(first) ? elf(channel, first) : new Unknown();
        }
    }

    private static ProgramHeader script(ByteBuffer first) {
        var line = StandardCharsets.ISO_8859_1.decode(first).toString().substring(2);
        int end = line.indexOf('\n');
        var words = Stream.of((end < 0 ? line : line.substring(0, end)).strip().split("[ \t]+"))
                .filter(word -> !word.isEmpty())
                .toList();
        return words.isEmpty() ? new Unknown() : new Script(words);
    }

    private static boolean isElf(ByteBuffer first) {
        return first.remaining() >= 52
                && first.get(0) == 0x7f
                && first.get(1) == 'E'
                && first.get(2) == 'L'
                && first.get(3) == 'F';
    }

    private static ProgramHeader elf(SeekableByteChannel channel, ByteBuffer first) throws IOException {
        first.order(first.get(5) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        boolean wide = first.get(4) == 2;
        if (wide && first.remaining() < 64) {
            return new Unknown();
        }
        long table = wide ? first.getLong(32) : Integer.toUnsignedLong(first.getInt(28));
        int size = Short.toUnsignedInt(first.getShort(wide ? 54 : 42));
        int count = Math.min(Short.toUnsignedInt(first.getShort(wide ? 56 : 44)), SEGMENT_LIMIT);
        if (size < (wide ? 56 : 32) || size > HEADER_LIMIT || table < 0 || table > channel.size()) {
            return new Unknown();
        }
        var segments = readAt(channel, table, size * count).order(first.order());
        for (int at = 0; at + size <= segments.limit(); at += size) {
            if (segments.getInt(at) == PT_INTERP) {
                return loader(
                        channel,
                        wide ? segments.getLong(at + 8) : Integer.toUnsignedLong(segments.getInt(at + 4)),
                        wide ? segments.getLong(at + 32) : Integer.toUnsignedLong(segments.getInt(at + 16)));
            }
        }
        return new StaticElf();
    }

    private static ProgramHeader loader(SeekableByteChannel channel, long offset, long size) throws IOException {
        if (offset < 0 || offset > channel.size() || size < 2 || size > LOADER_LIMIT) {
            return new Unknown();
        }
        var text = StandardCharsets.ISO_8859_1
                .decode(readAt(channel, offset, (int) size))
                .toString();
        int end = text.indexOf('\0');
        var path = end < 0 ? text : text.substring(0, end);
        return path.startsWith("/") ? new DynamicElf(path) : new Unknown();
    }

    private static ByteBuffer readAt(SeekableByteChannel channel, long offset, int size) throws IOException {
        var buffer = ByteBuffer.allocate(size);
        channel.position(offset);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                break;
            }
        }
        return buffer.flip();
    }
}
