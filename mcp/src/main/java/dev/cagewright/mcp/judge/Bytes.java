package dev.cagewright.mcp.judge;

/// Looking for bytes in bytes.
final class Bytes {
    private Bytes() {}

    static int indexOf(byte[] bytes, byte[] wanted) {
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            int k = 0;
            while (k < wanted.length && bytes[i + k] == wanted[k]) {
                k++;
            }
            if (k == wanted.length) {
                return i;
            }
        }
        return -1;
    }
}
