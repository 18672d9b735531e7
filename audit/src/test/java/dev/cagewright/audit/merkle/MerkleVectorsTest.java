package dev.cagewright.audit.merkle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The leaves, roots and paths that implementations of RFC 6962 are tested with (transparency-dev/merkle,
/// `proof/verify_test.go`), and the seven-leaf example of RFC 9162 section 2.1.5.
class MerkleVectorsTest {
    private static final List<String> LEAVES =
            List.of("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f");
    private static final List<String> ROOTS = List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    @Test
    void the_roots_of_zero_to_eight_leaves_are_the_known_ones() {
        var tree = CompactRange.empty();
        assertThat(tree.root()).hasToString(ROOTS.getFirst()).isEqualTo(TreeHash.EMPTY);
        for (int i = 0; i < LEAVES.size(); i++) {
            tree.add(leaf(i));
            assertThat(tree.root()).hasToString(ROOTS.get(i + 1));
            assertThat(tree.size()).isEqualTo(i + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, ''",
        "0, 8, '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
                + " 5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
                + " 6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'",
        "5, 8, 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
                + " ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
                + " d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'",
        "2, 3, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'",
        "1, 5, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
                + " 5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
                + " bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'"
    })
    void inclusion_paths_are_the_known_ones(int index, int size, String hashes) {
        var path = inclusion(index, size);

        assertThat(path.hashes()).hasToString(listed(hashes));
        assertThat(path.root(leaf(index))).map(TreeHash::toString).contains(ROOTS.get(size));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, ''",
        "1, 8, '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
                + " 5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
                + " 6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4'",
        "6, 8, '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
                + " ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
                + " d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'",
        "2, 5, '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
                + " bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b'",
        "6, 7, '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
                + " b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f"
                + " d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'"
    })
    void consistency_paths_are_the_known_ones(int from, int to, String hashes) {
        var path = consistency(from, to);

        assertThat(path.hashes()).hasToString(listed(hashes));
        assertThat(path.connects(root(from), root(to))).isTrue();
    }

    @Test
    void the_example_of_seven_leaves_has_the_paths_that_the_rfc_names() {
        var leaves = IntStream.range(0, 7).mapToObj(MerkleVectorsTest::leaf).toList();
        var g = TreeHash.node(leaves.get(0), leaves.get(1));
        var h = TreeHash.node(leaves.get(2), leaves.get(3));
        var i = TreeHash.node(leaves.get(4), leaves.get(5));
        var j = leaves.get(6);
        var k = TreeHash.node(g, h);
        var l = TreeHash.node(i, j);

        assertThat(inclusion(0, 7).hashes()).containsExactly(leaves.get(1), h, l);
        assertThat(inclusion(3, 7).hashes()).containsExactly(leaves.get(2), g, l);
        assertThat(inclusion(4, 7).hashes()).containsExactly(leaves.get(5), j, k);
        assertThat(inclusion(6, 7).hashes()).containsExactly(i, k);
        assertThat(consistency(3, 7).hashes()).containsExactly(leaves.get(2), leaves.get(3), g, l);
        assertThat(consistency(4, 7).hashes()).containsExactly(l);
        assertThat(consistency(6, 7).hashes()).containsExactly(i, j, k);
    }

    @Test
    void every_path_of_every_tree_up_to_seventy_leaves_leads_to_its_root_and_to_no_other() {
        var roots = new ArrayList<TreeHash>();
        var tree = CompactRange.empty();
        roots.add(tree.root());
        for (int i = 0; i < 70; i++) {
            tree.add(numbered(i));
            roots.add(tree.root());
        }
        for (int size = 1; size <= 70; size++) {
            for (int index = 0; index < size; index++) {
                var path = collect(InclusionPath.collector(index, size), size);
                assertThat(path.root(numbered(index))).contains(roots.get(size));
                assertThat(path.root(numbered(index + 1))).isNotEqualTo(roots.get(size));
                assertThat(longer(path).root(numbered(index))).isEmpty();
            }
            for (int from = 0; from <= size; from++) {
                var path = collect(ConsistencyPath.collector(from, size), size);
                assertThat(path.connects(roots.get(from), roots.get(size))).isTrue();
                assertThat(path.connects(roots.get(from), roots.get(size - 1))).isEqualTo(from == 0);
                assertThat(path.connects(numbered(1), roots.get(size))).isFalse();
            }
        }
    }

    @Test
    void a_path_that_lost_won_or_changed_a_hash_leads_nowhere() {
        var path = inclusion(5, 8);
        var proof = consistency(6, 8);
        for (int i = 0; i < 3; i++) {
            var fewer = new ArrayList<>(path.hashes());
            fewer.remove(i);
            assertThat(new InclusionPath(5, 8, fewer).root(leaf(5))).isEmpty();
            var other = new ArrayList<>(path.hashes());
            other.set(i, leaf(0));
            assertThat(new InclusionPath(5, 8, other).root(leaf(5))).isPresent().isNotEqualTo(root(8));
            var short_ = new ArrayList<>(proof.hashes());
            short_.remove(i);
            assertThat(new ConsistencyPath(6, 8, short_).connects(root(6), root(8)))
                    .isFalse();
            var wrong = new ArrayList<>(proof.hashes());
            wrong.set(i, leaf(0));
            assertThat(new ConsistencyPath(6, 8, wrong).connects(root(6), root(8)))
                    .isFalse();
        }
        assertThat(new ConsistencyPath(6, 8, List.of()).connects(root(6), root(8)))
                .isFalse();
        assertThat(new ConsistencyPath(8, 8, List.of(root(8))).connects(root(8), root(8)))
                .isFalse();
        assertThat(new ConsistencyPath(8, 8, List.of()).connects(root(8), root(7)))
                .isFalse();
        assertThat(new ConsistencyPath(0, 8, List.of()).connects(root(1), root(8)))
                .isFalse();
        assertThat(new ConsistencyPath(0, 8, List.of()).connects(TreeHash.EMPTY, root(8)))
                .isTrue();
    }

    @Test
    void a_tree_goes_on_from_its_complete_subtrees() {
        var tree = CompactRange.empty();
        for (int i = 0; i < 1000; i++) {
            tree = CompactRange.of(tree.size(), tree.roots());
            tree.add(numbered(i));
            assertThat(tree.roots()).hasSize(Long.bitCount(i + 1));
        }
        assertThat(tree.root()).isEqualTo(collected(1000).root());
        assertThatThrownBy(() -> CompactRange.of(3, List.of(numbered(1))))
                .hasMessage("subtrees: 1 (expected: as many as a tree of 3 leaves has)");
    }

    @Test
    void a_collector_says_when_leaves_are_missing() {
        var collector = InclusionPath.collector(1, 4);
        collector.take(leaf(0));

        assertThatThrownBy(collector::path)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("leaves: 1 (expected: those up to the tree's end)");
        assertThatThrownBy(() -> InclusionPath.collector(4, 4).path())
                .hasMessage("leaves: 0 (expected: those up to the tree's end)");
        assertThatThrownBy(() -> new InclusionPath(4, 4, List.of()))
                .hasMessage("index: 4 (expected: below the tree's size 4)");
        assertThatThrownBy(() -> new ConsistencyPath(5, 4, List.of()))
                .hasMessage("old size: 5 (expected: 0 to the new size 4)");
    }

    @Test
    void a_hash_has_one_text_form() {
        var base64 = root(3).base64();

        assertThat(TreeHash.ofBase64(base64)).isEqualTo(root(3)).isNotEqualTo(root(4));
        for (var wrong : List.of("", base64.substring(1), base64.replace("=", ""), base64 + "=", "A".repeat(44))) {
            assertThatThrownBy(() -> TreeHash.ofBase64(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> TreeHash.ofBase64("A".repeat(42) + "B="))
                .hasMessage("hash: not the one base64 form of its bytes");
        assertThatThrownBy(() -> TreeHash.of(new byte[31])).hasMessage("hash: 31 bytes (expected: 32)");
    }

    private static InclusionPath longer(InclusionPath path) {
        return new InclusionPath(
                path.index(),
                path.size(),
                Stream.concat(path.hashes().stream(), Stream.of(TreeHash.EMPTY)).toList());
    }

    private static InclusionPath inclusion(int index, int size) {
        var collector = InclusionPath.collector(index, size);
        IntStream.range(0, size).mapToObj(MerkleVectorsTest::leaf).forEach(collector::take);
        return collector.path();
    }

    private static ConsistencyPath consistency(int from, int to) {
        var collector = ConsistencyPath.collector(from, to);
        IntStream.range(0, to).mapToObj(MerkleVectorsTest::leaf).forEach(collector::take);
        return collector.path();
    }

    private static <P> P collect(PathCollector<P> collector, int size) {
        IntStream.range(0, size).mapToObj(MerkleVectorsTest::numbered).forEach(collector::take);
        return collector.path();
    }

    private static CompactRange collected(int size) {
        var tree = CompactRange.empty();
        IntStream.range(0, size).mapToObj(MerkleVectorsTest::numbered).forEach(tree::add);
        return tree;
    }

    private static TreeHash root(int size) {
        return TreeHash.of(HexFormat.of().parseHex(ROOTS.get(size)));
    }

    private static TreeHash leaf(int index) {
        return TreeHash.leaf(HexFormat.of().parseHex(LEAVES.get(index)));
    }

    private static TreeHash numbered(int index) {
        return TreeHash.leaf(ByteBuffer.allocate(4).putInt(index).array());
    }

    private static String listed(String hashes) {
        return "[" + String.join(", ", hashes.split(" ")) + "]";
    }
}
