package dev.cagewright.mcp.tools;

import dev.cagewright.policy.action.ByteString;
import java.util.Base64;

/// Bytes as an answer holds them: as they are where they are UTF-8, in base64 where they are not.
///
/// @param encoding [#UTF_8] or [#BASE64]
record Told(String text, String encoding) {
    static final String UTF_8 = "utf-8";
    static final String BASE64 = "base64";

    static Told of(ByteString bytes) {
        return bytes.utf8().map(text -> new Told(text, UTF_8)).orElseGet(() -> binary(bytes));
    }

    static Told binary(ByteString bytes) {
        return new Told(Base64.getEncoder().encodeToString(bytes.toByteArray()), BASE64);
    }

    /// How many of the last bytes begin a character of UTF-8 that is not whole: 0 to 3.
    static int begun(ByteString bytes) {
        int size = bytes.size();
        for (int back = 1; back <= 3 && back <= size; back++) {
            int one = bytes.at(size - back) & 0xff;
            if (one >= 0xc0) {
                int length = one >= 0xf0 ? 4 : one >= 0xe0 ? 3 : 2;
                return length > back ? back : 0;
            }
            if (one < 0x80) {
                return 0;
            }
        }
        return 0;
    }

    /// How many of the first bytes go on with a character that began before: 0 to 3.
    static int goneOn(ByteString bytes) {
        int count = 0;
        while (count < 3 && count < bytes.size() && (bytes.at(count) & 0xc0) == 0x80) {
            count++;
        }
        return count;
    }
}
