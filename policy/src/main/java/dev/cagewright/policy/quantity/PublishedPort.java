package dev.cagewright.policy.quantity;

/// A TCP port of a cage, and the one of the host's loopback that stands for it: `3000`, or `8080:80` with the host's
/// first, as a person of containers writes it.
///
/// @param host 1 to 65535, or 0 for one that the kernel chooses
/// @param cage 1 to 65535
public record PublishedPort(int host, int cage) {
    private static final int MOST = 65_535;
    private static final String FORM = "a port of the cage such as 3000, or HOST:CAGE such as 8080:80; 0 before the"
            + " colon takes any free port of the host";

    public PublishedPort {
        if (host < 0 || host > MOST || cage < 1 || cage > MOST) {
            throw new IllegalArgumentException("published port: " + host + ":" + cage + " (expected: " + FORM + ")");
        }
    }

    /// Reads one.
    ///
    /// @param field what it is of, for the message
    /// @throws IllegalArgumentException saying what is expected
    public static PublishedPort parse(String field, String text) {
        if (!text.matches("([0-9]{1,5}:)?[0-9]{1,5}")) {
            throw Field.refusal(field, text, FORM);
        }
        int colon = text.indexOf(':');
        try {
            int cage = (int) Digits.between(field, text.substring(colon + 1), 1, MOST);
            int host = colon < 0 ? cage : (int) Digits.between(field, text.substring(0, colon), 0, MOST);
            return new PublishedPort(host, cage);
        } catch (IllegalArgumentException _) {
            throw Field.refusal(field, text, FORM);
        }
    }

    /// As it is written, the shorter way where both are the same.
    @Override
    public String toString() {
        return host == cage ? Integer.toString(cage) : host + ":" + cage;
    }
}
