package dev.cagewright.policy.token;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Why a tag is not that of what it stands beside, as far as can be told; only ever asked of what is refused already.
/// Whoever tampers may lie about it, and gains another word for no.
final class Diagnosis {
    private Diagnosis() {}

    static Verification.Refused of(byte[] signed, TokenKey key) {
        var numbers = new ArrayList<String>();
        var keyId = "";
        var count = "";
        for (String line : new String(signed, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            if (line.startsWith("link ")) {
                numbers.add(line.substring(5));
            } else if (line.startsWith("key ") && keyId.isEmpty()) {
                keyId = line.substring(4);
            } else if (line.startsWith("links ") && count.isEmpty()) {
                count = line.substring(6);
            }
        }
        return signedOtherwise(keyId, key)
                ? refused(TokenFault.FORGED, "it is signed with another key than " + key.id())
                : structural(numbers, count);
    }

    private static boolean signedOtherwise(String keyId, TokenKey key) {
        return !keyId.equals(key.id());
    }

    private static Verification.Refused structural(List<String> numbers, String count) {
        var sorted = numbers.stream()
                .sorted((one, other) ->
                        one.length() == other.length() ? one.compareTo(other) : one.length() - other.length())
                .toList();
        var expected = new ArrayList<String>();
        for (int i = 1; i <= numbers.size(); i++) {
            expected.add("" + i);
        }
        if (numbers.stream().distinct().count() < numbers.size() || isMoreThan(numbers.size(), count)) {
            return refused(TokenFault.PADDED, "it has links that were not there when it was signed");
        }
        if (!sorted.equals(expected) || !count.equals("" + numbers.size())) {
            return refused(TokenFault.STRIPPED, "a link is missing that was there when it was signed");
        }
        if (!numbers.equals(expected)) {
            return refused(TokenFault.REORDERED, "its links stand in another order than when it was signed");
        }
        return refused(TokenFault.EDITED, "something in it is not what was signed");
    }

    private static boolean isMoreThan(int size, String count) {
        return count.matches("[0-9]{1,4}") && size > Integer.parseInt(count);
    }

    private static Verification.Refused refused(TokenFault fault, String why) {
        return new Verification.Refused(fault, "the token is not genuine: " + why);
    }
}
