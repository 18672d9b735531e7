package dev.cagewright.supervisor.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BundleArchiveTest {
    private final Path folder;
    private final byte[] zip;

    BundleArchiveTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.zip = ZipPatch.zip(
                folder,
                Map.of(
                        "VERIFY.md", "read me\n".getBytes(UTF_8),
                        "log/lines.jsonl", new byte[0],
                        "receipt.json", "{}".getBytes(UTF_8)));
    }

    private static void refused(byte[] bytes, String message) {
        assertThatThrownBy(() -> BundleArchive.open(BundleArchive.Source.of(bytes)))
                .isInstanceOf(BundleException.class)
                .hasMessage(message);
    }

    private void refused(ZipPatch patch, String message) {
        assertThat(patch.bytes()).isNotEqualTo(zip);
        refused(patch.bytes(), message);
    }

    private ZipPatch patch() {
        return ZipPatch.of(zip);
    }

    @Test
    void what_was_written_is_read() throws IOException, BundleException {
        var archive = BundleArchive.open(BundleArchive.Source.of(zip));

        assertThat(archive.names()).containsExactly("VERIFY.md", "log/lines.jsonl", "receipt.json");
        assertThat(archive.bytes("VERIFY.md", 8)).hasValue("read me\n".getBytes(UTF_8));
        assertThat(archive.bytes("log/lines.jsonl", 0)).hasValue(new byte[0]);
        assertThat(archive.bytes("sections.json", 0)).isEmpty();
        assertThatThrownBy(() -> archive.bytes("VERIFY.md", 7)).hasMessage("VERIFY.md has 8 bytes (at most 7)");
    }

    @Test
    void the_same_entries_make_the_same_bytes() throws IOException, BundleException {
        assertThat(ZipPatch.zip(folder, ZipPatch.entries(zip))).isEqualTo(zip);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../a.json123", "/etc/passwd1", "./ceipt.json", "C:\\eipt.json", "re..ipt.json", "a/b/ipt.json"})
    void B124_a_name_that_leaves_is_refused(String name) {
        assertThatThrownBy(() -> BundleArchive.open(BundleArchive.Source.of(
                        patch().text("receipt.json", name).bytes())))
                .isInstanceOf(BundleException.class)
                .hasMessageStartingWith("entry 3 has a name that no bundle has: ");
    }

    @Test
    void a_name_with_controls_is_shown_escaped() {
        assertThatThrownBy(() -> BundleArchive.open(BundleArchive.Source.of(
                        patch().text("receipt.json", "\033[2J\0\n.json!").bytes())))
                .message()
                .startsWith("entry 3 has a name that no bundle has: ")
                .matches("\\P{Cntrl}+");
    }

    @Test
    void a_name_that_stands_twice_or_out_of_order_is_refused() throws IOException {
        var two = ZipPatch.of(ZipPatch.zip(folder, Map.of("log/1.proof", new byte[0], "log/2.proof", new byte[0])));

        refused(two.text("log/2.proof", "log/1.proof").bytes(), "it names log/1.proof twice");
        refused(
                two.text("log/1.proof", "log/3.proof").bytes(),
                "its entries are not in the order of their names, at log/2.proof");
    }

    @Test
    void an_encrypted_entry_is_refused() {
        refused(patch().shortAt("receipt.json", ZipPatch.FLAGS, 1), "receipt.json is encrypted");
    }

    @Test
    void an_entry_without_its_size_in_front_is_refused() {
        refused(patch().shortAt("receipt.json", ZipPatch.FLAGS, 8), "receipt.json does not say its size in front");
    }

    @Test
    void other_flags_are_refused() {
        refused(
                patch().shortAt("receipt.json", ZipPatch.FLAGS, 0x800),
                "receipt.json has flags that bundles do not have");
    }

    @Test
    void a_link_is_refused() {
        refused(patch().intAt("receipt.json", ZipPatch.MODE - 2, 0120777 << 16), "receipt.json is a link");
    }

    @Test
    void a_folder_is_refused() {
        refused(patch().intAt("receipt.json", ZipPatch.MODE - 2, 0040755 << 16), "receipt.json is a folder");
    }

    @Test
    void a_set_id_mode_is_refused() {
        refused(
                patch().intAt("receipt.json", ZipPatch.MODE - 2, 0104755 << 16),
                "receipt.json has fields that bundles do not have");
    }

    @Test
    void sizes_that_differ_are_refused() {
        refused(patch().intAt("receipt.json", ZipPatch.SIZE, 3), "receipt.json: its sizes cannot be");
        refused(
                patch().intAt("receipt.json", ZipPatch.SIZE, 3).intAt("receipt.json", ZipPatch.STORED, 3),
                "receipt.json is said to be longer than the archive");
        refused(
                patch().intAt("VERIFY.md", ZipPatch.SIZE, 7).intAt("VERIFY.md", ZipPatch.STORED, 7),
                "VERIFY.md: its two headers say different things");
    }

    @Test
    void a_size_of_sixty_four_bits_is_refused() {
        refused(
                patch().intAt("receipt.json", ZipPatch.SIZE, -1),
                "receipt.json is in zip64 form, which bundles never are");
        refused(patch().shortFromEnd(12, 0xffff), "it is in zip64 form, which bundles never are");
    }

    @Test
    void a_part_of_several_is_refused() {
        refused(patch().shortFromEnd(18, 1), "it is one part of several");
    }

    @Test
    void an_entry_that_lies_over_another_is_refused() {
        refused(
                patch().intAt("receipt.json", ZipPatch.PLACE, 0),
                "receipt.json does not stand behind the entry before it");
    }

    @Test
    void an_extra_field_is_refused() {
        refused(patch().shortAt("receipt.json", ZipPatch.EXTRA, 4), "receipt.json has fields that bundles do not have");
    }

    @Test
    void bytes_behind_before_and_between_are_refused() {
        var behind = Arrays.copyOf(zip, zip.length + 1);
        refused(behind, "there is something behind the archive's end");

        var before = new byte[zip.length + 5];
        System.arraycopy(zip, 0, before, 5, zip.length);
        refused(before, "its directory is not where its end says");
    }

    @Test
    void a_cut_archive_is_told_apart_from_no_archive() {
        refused(Arrays.copyOf(zip, zip.length - 1), "the archive is cut");
        refused(Arrays.copyOf(zip, zip.length - 30), "the archive is cut");
        refused("%PDF-1.7 something else that is long".getBytes(UTF_8), "it is no zip archive");
        refused(new byte[0], "it is no zip archive");
    }

    @Test
    void a_damaged_entry_is_found_when_it_is_read() throws IOException, BundleException {
        var archive = BundleArchive.open(
                BundleArchive.Source.of(patch().text("read me", "Read me").bytes()));

        assertThatThrownBy(() -> archive.bytes("VERIFY.md", 100))
                .hasMessage("VERIFY.md is damaged: its checksum is another one");
        assertThatThrownBy(() -> archive.sha256("VERIFY.md"))
                .hasMessage("VERIFY.md is damaged: its checksum is another one");
    }

    @Test
    void a_bomb_is_refused_unopened() throws IOException {
        var bomb = new ByteArrayOutputStream();
        try (var out = new ZipOutputStream(bomb)) {
            out.putNextEntry(new ZipEntry("receipt.json"));
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                out.write(zeros);
            }
        }

        assertThat(bomb.size()).isLessThan(200_000);
        refused(bomb.toByteArray(), "receipt.json is compressed, which nothing in a bundle is");
    }

    @Test
    void a_bundle_that_is_too_large_is_refused_unread() {
        var huge = new BundleArchive.Source() {
            @Override
            public long size() {
                return BundleArchive.MAX_BYTES + 1;
            }

            @Override
            public void read(long position, byte[] piece) {
                throw new IllegalStateException("read");
            }
        };

        assertThatThrownBy(() -> BundleArchive.open(huge)).hasMessage("it has 1073741825 bytes (at most 1073741824)");
    }

    @Test
    void every_flipped_bit_of_the_structure_is_found() throws IOException {
        int found = 0;
        for (int at = 0; at < zip.length; at++) {
            var flipped = zip.clone();
            flipped[at] ^= 1;
            try {
                var archive = BundleArchive.open(BundleArchive.Source.of(flipped));
                for (String name : archive.names()) {
                    archive.sha256(name);
                }
            } catch (BundleException e) {
                assertThat(e.getMessage()).isNotEmpty().doesNotContain("\n");
                found++;
            }
        }

        assertThat(found).isEqualTo(zip.length);
    }

    @Test
    void entries_out_of_order_are_not_written() {
        assertThatThrownBy(() -> ZipPatch.zip(folder, Map.of("../x", new byte[0])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("entry: ../x (expected: a plain name, behind the last one)");
    }
}
