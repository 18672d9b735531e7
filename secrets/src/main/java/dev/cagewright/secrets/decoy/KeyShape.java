package dev.cagewright.secrets.decoy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How one kind of key is written, as its vendor has published it: what it begins with, what it goes on in.
///
/// @param prefix kept letter for letter; every key of the kind has it
/// @param alphabet of what follows
/// @param kept characters of what follows that stay where they are
record KeyShape(String prefix, Alphabet alphabet, String kept, Ending ending) {
    enum Ending {
        PLAIN,
        /// The last six characters are the CRC-32 of the thirty before them in base 62.
        CHECKED
    }

    /// The published pages are named in docs/inspect.md.
    private static final List<KeyShape> ALL = shapes();

    private static List<KeyShape> shapes() {
        var all = new ArrayList<KeyShape>();
        add(all, Alphabet.BASE32, "", "AKIA ASIA ABIA ACCA");
        add(all, Alphabet.BASE64URL, "", "AIza GOCSPX- ya29.");
        add(all, Alphabet.HEX, "", "dop_v1_ doo_v1_ dor_v1_ dapi rubygems_ sk-or-v1- shpat_ shpca_ shppa_ shpss_");
        for (String prefix : List.of("ghp_", "gho_", "ghu_", "ghr_", "ghs_", "npm_")) {
            all.add(new KeyShape(prefix, Alphabet.ALPHANUMERIC, "", Ending.CHECKED));
        }
        add(all, Alphabet.ALPHANUMERIC, "_", "github_pat_ glsa_");
        add(
                all,
                Alphabet.BASE64URL,
                "",
                "glpat- gloas- gldt- glrt- glcbt- glptt- glft- glimt- glagent- glsoat- glffct- dckr_pat_ dckr_oat_"
                        + " pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw");
        add(
                all,
                Alphabet.BASE64URL,
                "",
                "sk-ant-api03- sk-ant-admin01- sk-ant-oat01- sk-ant-ort01- sk-ant- sk-proj- sk-svcacct- sk-admin-");
        add(all, Alphabet.ALPHANUMERIC, "", "sk- hf_ gsk_ xai- pplx- r8_ sk_live_ rk_live_ sk_test_ rk_test_ ntn_");
        add(all, Alphabet.ALPHANUMERIC, "", "lin_api_ lin_oauth_ pscale_tkn_ pscale_pw_ pscale_oauth_ cio whsec_");
        add(all, Alphabet.BASE64URL, ".", "SG. sq0atp- sq0csp- hvs. hvb. hvr. sntrys_ sntryu_");
        add(all, Alphabet.CAPITAL, "", "NRAK-");
        add(all, Alphabet.HEX, "-", "PMAK-");
        all.sort(Comparator.comparingInt((KeyShape shape) -> shape.prefix().length())
                .reversed());
        return List.copyOf(all);
    }

    private static void add(List<KeyShape> all, Alphabet alphabet, String kept, String prefixes) {
        for (String prefix : prefixes.split(" ", -1)) {
            all.add(new KeyShape(prefix, alphabet, kept, Ending.PLAIN));
        }
    }

    /// The shape with the longest prefix that `key` has.
    static Optional<KeyShape> of(byte[] key) {
        return ALL.stream().filter(shape -> shape.begins(key)).findFirst();
    }

    private boolean begins(byte[] key) {
        if (key.length <= prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (key[i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
