package dev.cagewright.egress.http;

/// The line before a chunk, RFC 9112 section 7.1: its size, and extensions that mean nothing to us and go no
/// further.
final class ChunkLine {
    private static final int MAX_DIGITS = 15;

    private ChunkLine() {}

    /// The size in bytes.
    static long size(String line) throws MalformedException {
        int end = 0;
        while (end < line.length() && line.charAt(end) < 0x80 && Character.digit(line.charAt(end), 16) >= 0) {
            end++;
        }
        if (end == 0 || end > MAX_DIGITS) {
            throw new MalformedException("a chunk size that is no number");
        }
        if (end < line.length() && !isExtension(line.substring(end))) {
            throw new MalformedException("a chunk extension that cannot be read in one way only");
        }
        return Long.parseLong(line.substring(0, end), 16);
    }

    /// `;NAME` or `;NAME=VALUE`, any number of them; the value a token, or quoted and whole on this line.
    private static boolean isExtension(String text) {
        return text.matches("(;[!#$%&'*+.^_`|~0-9A-Za-z-]+(=([!#$%&'*+.^_`|~0-9A-Za-z-]+|\"[ !#-\\[\\]-~]*\"))?)+");
    }
}
