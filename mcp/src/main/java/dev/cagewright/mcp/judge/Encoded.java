package dev.cagewright.mcp.judge;

import dev.cagewright.audit.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;

/// Bytes in base64, as the protocol has them: `data` of images and sounds, `blob` of resources.
final class Encoded {
    private static final int PIECE = 64 * 1024;

    private Encoded() {}

    /// Is this member of `object` one?
    static boolean isIn(JsonObject object, String name) {
        return name.equals("blob")
                || (name.equals("data") && object.member("mimeType").isPresent());
    }

    /// The bytes; empty where it is no base64.
    static Optional<byte[]> decoded(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /// Does a packed file come to more than `most` bytes?
    static boolean isLargerUnpacked(byte[] bytes, long most) {
        try {
            if (bytes.length > 2 && (bytes[0] & 0xff) == 0x1f && (bytes[1] & 0xff) == 0x8b) {
                return length(new GZIPInputStream(new ByteArrayInputStream(bytes)), most) > most;
            }
            return bytes.length > 4 && bytes[0] == 'P' && bytes[1] == 'K' && bytes[2] == 3 && isZipLarger(bytes, most);
        } catch (IOException | IllegalArgumentException _) {
            // what cannot be unpacked here is measured as it is
            return false;
        }
    }

    private static boolean isZipLarger(byte[] bytes, long most) throws IOException {
        long total = 0;
        try (var zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
            while (total <= most && zip.getNextEntry() != null) {
                total += length(zip, most - total);
            }
        }
        return total > most;
    }

    /// How much there is, counted no further than just beyond `most`.
    private static long length(InputStream stream, long most) throws IOException {
        var piece = new byte[PIECE];
        long total = 0;
        for (int read = stream.read(piece); read >= 0; read = stream.read(piece)) {
            total += read;
            if (total > most) {
                return total;
            }
        }
        return total;
    }
}
