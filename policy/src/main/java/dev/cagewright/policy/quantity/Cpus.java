package dev.cagewright.policy.quantity;

/// A share of the machine's processors in thousandths of one, 1 to 1024000. Spelt as a decimal with at most
/// three places: `2`, `0.5`, `1.25`.
public record Cpus(int thousandths) implements Comparable<Cpus> {
    public Cpus {
        if (thousandths < 1 || thousandths > 1_024_000) {
            throw new IllegalArgumentException("cpus: " + thousandths + "/1000 (expected: 1 to 1024000)");
        }
    }

    /// Reads one of the accepted spellings.
    ///
    /// @throws IllegalArgumentException naming `field` and the accepted forms
    public static Cpus parse(String field, String text) {
        int point = text.indexOf('.');
        long whole = Digits.parseOrNegative(point < 0 ? text : text.substring(0, point));
        var places = point < 0 ? "0" : text.substring(point + 1);
        if (whole < 0 || whole > 1024 || !places.matches("[0-9]{1,3}")) {
            throw refusal(field, text);
        }
        int thousandths = (int) whole * 1000 + Integer.parseInt((places + "00").substring(0, 3));
        if (thousandths < 1 || thousandths > 1_024_000) {
            throw refusal(field, text);
        }
        return new Cpus(thousandths);
    }

    private static IllegalArgumentException refusal(String field, String text) {
        return Field.refusal(field, text, "a decimal from 0.001 to 1024 with at most three places, e.g. 0.5");
    }

    @Override
    public int compareTo(Cpus other) {
        return Integer.compare(thousandths, other.thousandths);
    }

    @Override
    public String toString() {
        int places = thousandths % 1000;
        var whole = Integer.toString(thousandths / 1000);
        return places == 0
                ? whole
                : whole + "." + Integer.toString(1000 + places).substring(1).replaceAll("0+$", "");
    }
}
