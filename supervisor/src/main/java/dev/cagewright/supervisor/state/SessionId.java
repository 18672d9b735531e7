package dev.cagewright.supervisor.state;

import java.util.random.RandomGenerator;

/// The name of one session: ten characters `a-z2-7`, 50 random bits. Not a secret.
public record SessionId(String value) {
    private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
    private static final int LENGTH = 10;

    public SessionId {
        if (value.length() != LENGTH || !value.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0)) {
            throw new IllegalArgumentException("session id: \"" + value + "\" (expected: ten characters a-z2-7)");
        }
    }

    public static SessionId random(RandomGenerator source) {
        var id = new StringBuilder(LENGTH);
        for (int i = 0; i < LENGTH; i++) {
            id.append(ALPHABET.charAt(source.nextInt(ALPHABET.length())));
        }
        return new SessionId(id.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
