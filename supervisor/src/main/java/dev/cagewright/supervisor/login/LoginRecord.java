package dev.cagewright.supervisor.login;

import dev.cagewright.secrets.decoy.Decoys;
import dev.cagewright.secrets.store.StoreException;
import dev.cagewright.secrets.value.SecretValue;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// One log-in as it is stored: the grants that its client was given, the oldest first, each a set of tokens that were
/// given together or one for another. As bytes: words with a blank between them, for no token has one. Values belong to
/// whoever read or made the record.
///
/// @param grants at most [#MOST_GRANTS]
record LoginRecord(List<Grant> grants) {
    /// A client that logs in again and again has those of the last times.
    static final int MOST_GRANTS = 4;

    /// A client that dies before it has written a fresh decoy down still has the one before.
    static final int MOST_DECOYS = 3;

    static final LoginRecord EMPTY = new LoginRecord(List.of());

    private static final int ROOM = 60_000;
    private static final String GRANT = "grant";
    private static final String TOKEN = "token";

    LoginRecord {
        grants = List.copyOf(grants);
    }

    /// Tokens by their members.
    record Grant(Map<String, Token> tokens) {
        Grant {
            tokens = Map.copyOf(tokens);
        }
    }

    /// A value, and what stands for it in the cage.
    ///
    /// @param decoys the newest first, none twice in a store; ASCII without blanks
    record Token(SecretValue value, List<String> decoys) {
        Token {
            decoys = List.copyOf(decoys);
        }

        /// Those that matter, never the value.
        @Override
        public String toString() {
            return "(a token with " + decoys.size() + " decoys)";
        }
    }

    /// Reads one.
    ///
    /// @throws StoreException if it is written in no way that is known here
    static LoginRecord read(SecretValue stored) throws StoreException {
        try {
            return stored.lend(bytes -> new Words(bytes).record());
        } catch (IllegalArgumentException e) {
            throw new StoreException(
                    "the log-in is stored in a form that is not known here (cagewright logout ends it,"
                            + " and the next log-in stores it anew)",
                    e);
        }
    }

    private static final class Words {
        private final byte[] bytes;
        private int at;

        Words(byte[] bytes) {
            this.bytes = bytes;
        }

        private byte[] next() {
            int from = at;
            while (at < bytes.length && bytes[at] != ' ') {
                at++;
            }
            if (at == from) {
                throw new IllegalArgumentException("a word is missing");
            }
            var word = Arrays.copyOfRange(bytes, from, at++);
            return word;
        }

        private String text() {
            return new String(next(), StandardCharsets.US_ASCII);
        }

        LoginRecord record() {
            var grants = new ArrayList<Grant>();
            var tokens = new LinkedHashMap<String, Token>();
            while (at < bytes.length) {
                var word = text();
                if (word.equals(GRANT)) {
                    grants.add(new Grant(tokens));
                    tokens.clear();
                } else if (word.equals(TOKEN)) {
                    tokens.put(text(), token());
                } else {
                    throw new IllegalArgumentException("an unknown word");
                }
            }
            return new LoginRecord(grants);
        }

        private Token token() {
            var word = next();
            var value = SecretValue.copyOf(word);
            Arrays.fill(word, (byte) 0);
            int count = Integer.parseInt(text());
            if (count < 1 || count > MOST_DECOYS) {
                throw new IllegalArgumentException("a count of decoys");
            }
            var decoys = new ArrayList<String>();
            for (int i = 0; i < count; i++) {
                decoys.add(text());
            }
            return new Token(value, decoys);
        }
    }

    /// As it is stored, without what there is no room for: earlier decoys first, then the oldest grants.
    ///
    /// @return the caller's to close
    SecretValue write() {
        var fitting = this;
        while (fitting.size() > ROOM) {
            fitting = fitting.smaller();
        }
        var out = new Wiped(fitting.size());
        fitting.grants.forEach(grant -> {
            grant.tokens().forEach((field, token) -> {
                out.word(TOKEN);
                out.word(field);
                token.value().lend(value -> {
                    out.word(value);
                    return value.length;
                });
                out.word(Integer.toString(token.decoys().size()));
                token.decoys().forEach(out::word);
            });
            out.word(GRANT);
        });
        return out.value();
    }

    /// Of a known size, so that no copy is left.
    private static final class Wiped extends ByteArrayOutputStream {
        Wiped(int size) {
            super(size);
        }

        void word(String word) {
            word(word.getBytes(StandardCharsets.US_ASCII));
        }

        void word(byte[] word) {
            writeBytes(word);
            write(' ');
        }

        SecretValue value() {
            var exact = toByteArray();
            try {
                return SecretValue.copyOf(exact);
            } finally {
                Arrays.fill(exact, (byte) 0);
                Arrays.fill(buf, (byte) 0);
            }
        }
    }

    private int size() {
        int size = 0;
        for (Grant grant : grants) {
            size += GRANT.length() + 1;
            for (Map.Entry<String, Token> each : grant.tokens().entrySet()) {
                var token = each.getValue();
                size += TOKEN.length() + each.getKey().length() + token.value().length() + 6;
                size += token.decoys().stream()
                        .mapToInt(decoy -> decoy.length() + 1)
                        .sum();
            }
        }
        return size;
    }

    private LoginRecord smaller() {
        boolean hasEarlier = grants.stream()
                .flatMap(grant -> grant.tokens().values().stream())
                .anyMatch(token -> token.decoys().size() > 1);
        if (hasEarlier) {
            return new LoginRecord(
                    grants.stream().map(LoginRecord::withoutEarlier).toList());
        }
        return new LoginRecord(grants.subList(1, grants.size()));
    }

    private static Grant withoutEarlier(Grant grant) {
        var tokens = new LinkedHashMap<String, Token>();
        grant.tokens()
                .forEach((field, token) -> tokens.put(
                        field, new Token(token.value(), List.of(token.decoys().getFirst()))));
        return new Grant(tokens);
    }

    /// The grant that has this token; empty if none has.
    Optional<Grant> grantOf(SecretValue value) {
        return grants.stream()
                .filter(grant -> grant.tokens().values().stream().anyMatch(token -> isSame(token.value(), value)))
                .findFirst();
    }

    private static boolean isSame(SecretValue one, SecretValue other) {
        return one.length() == other.length() && one.lend(other::matches);
    }

    /// The record with fresh tokens: a grant more, or others in the place of `renewed`'s.
    ///
    /// @param values copied by the caller for this record
    Grown with(Map<String, SecretValue> values, Optional<Grant> renewed, Decoys decoys) {
        var tokens = new LinkedHashMap<>(renewed.map(Grant::tokens).orElse(Map.of()));
        values.forEach((field, value) -> tokens.merge(
                field,
                new Token(value, List.of(text(decoys.likeToken(value)))),
                (before, fresh) -> isSame(before.value(), value) ? before : after(before, fresh)));
        var all = new ArrayList<>(grants);
        var grant = new Grant(tokens);
        renewed.ifPresent(all::remove);
        all.add(grant);
        while (all.size() > MOST_GRANTS) {
            all.removeFirst();
        }
        return new Grown(new LoginRecord(all), grant);
    }

    /// A record, and the grant in it that is new or renewed.
    record Grown(LoginRecord record, Grant grant) {}

    private static Token after(Token before, Token fresh) {
        var all = new ArrayList<>(fresh.decoys());
        all.addAll(before.decoys());
        return new Token(fresh.value(), all.subList(0, Math.min(MOST_DECOYS, all.size())));
    }

    private static String text(byte[] decoy) {
        return new String(decoy, StandardCharsets.US_ASCII);
    }

    /// Every value of it.
    List<SecretValue> values() {
        return grants.stream()
                .flatMap(grant -> grant.tokens().values().stream().map(Token::value))
                .toList();
    }
}
