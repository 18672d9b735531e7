package dev.cagewright.supervisor.evidence;

import java.io.IOException;

/// What a bundle tells a third party to do. The text belongs to the bundle's format and is the same in each, so that
/// nobody can put other advice there.
final class VerifyText {
    private VerifyText() {}

    static byte[] bytes() throws IOException {
        try (var in = VerifyText.class.getResourceAsStream(EntryName.VERIFY)) {
            if (in == null) {
                throw new IOException(EntryName.VERIFY + ": not in this build (expected: install the product again)");
            }
            return in.readAllBytes();
        }
    }
}
