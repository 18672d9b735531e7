package dev.cagewright.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cagewright.policy.action.GuestPath;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher and the cache of loaded classes beside the product.
class StartUpTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path LIBRARIES = ROOT.resolve("cli/target/product/lib");
    private static final String CACHE = "cli/target/product/cagewright.aot";

    /// Before Java 6 there are no stack maps, and a cache leaves such classes out.
    private static final int OLDEST_MAJOR = 50;

    @TempDir
    private Path root;

    @Test
    void the_product_starts_from_the_cache_that_was_made_with_it() throws IOException, InterruptedException {
        var loaded = loaded(Desk.PRODUCT, "version");

        assertThat(loaded.stream().filter(line -> line.contains("shared objects file")))
                .as("the product's and picocli's classes from the cache")
                .hasSizeGreaterThan(200);
    }

    @Test
    void a_run_with_a_network_starts_from_the_cache_of_such_runs() throws IOException, InterruptedException {
        var policy = Files.writeString(root.resolve("net.yaml"), """
                tool: net
                fs: {mounts: [{path: /workspace, mode: rw}]}
                net:
                  hosts: [{host: a.test}]
                """);

        var loaded = loaded(Desk.PRODUCT, "run", "-q", "--policy", policy.toString(), "--", "true");

        assertThat(loaded.stream()
                        .filter(line -> line.contains(" dev.cagewright.egress."))
                        .filter(line -> line.contains("shared objects file")))
                .as("the network part's classes from the cache")
                .hasSizeGreaterThan(100);
    }

    @Test
    void a_cache_that_is_older_than_a_library_is_silent_and_not_used() throws IOException, InterruptedException {
        var copy = copyOfTheProduct();
        Files.setLastModifiedTime(
                copy.resolveSibling("cli/target/product/lib").resolve(oneLibrary()), FileTime.fromMillis(1));

        assertStartsCleanly(copy);
        assertThat(loaded(copy, "version")).noneMatch(line -> line.contains("shared objects file"));
    }

    @Test
    void a_cache_that_is_none_is_silent() throws IOException, InterruptedException {
        var copy = copyOfTheProduct();
        Files.writeString(copy.resolveSibling(CACHE), "no cache at all");

        assertStartsCleanly(copy);
    }

    @Test
    void a_cache_that_is_cut_is_silent() throws IOException, InterruptedException {
        var copy = copyOfTheProduct();
        try (var channel = Files.newByteChannel(copy.resolveSibling(CACHE), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / 2);
        }

        assertStartsCleanly(copy);
    }

    @Test
    void a_missing_cache_is_silent() throws IOException, InterruptedException {
        var copy = copyOfTheProduct();
        Files.delete(copy.resolveSibling(CACHE));

        assertStartsCleanly(copy);
    }

    @Test
    void a_link_in_another_folder_starts_the_product() throws IOException, InterruptedException {
        var link = Files.createSymbolicLink(root.resolve("a link"), Desk.PRODUCT);

        assertStartsCleanly(link);
    }

    @Test
    void no_class_of_the_product_is_too_old_for_the_cache() throws IOException {
        var old = new ArrayList<String>();
        try (var libraries = Files.list(LIBRARIES)) {
            for (var library : libraries.toList()) {
                old.addAll(oldClasses(library));
            }
        }

        assertThat(LIBRARIES).isNotEmptyDirectory();
        assertThat(old).isEmpty();
    }

    /// What the cache does not hold is written out by `PlainCalls.java`; a switch of a kind that it leaves to the JVM,
    /// over
    /// types and constants of an enum at once, has to be written in another way.
    @Test
    void no_class_of_the_product_has_the_JVM_make_code_for_switches_and_records() throws IOException {
        var asking = new ArrayList<String>();
        try (var libraries = Files.list(LIBRARIES)) {
            for (var library : libraries.toList()) {
                asking.addAll(classesThatName(library, "java/lang/runtime/"));
            }
        }

        assertThat(asking).isEmpty();
    }

    /// The cache takes no class of a signed jar, and jlink no signed module; what changes a class breaks a signature.
    @Test
    void no_library_of_the_product_is_signed_and_each_still_says_what_it_is() throws IOException {
        try (var libraries = Files.list(LIBRARIES)) {
            for (var library : libraries.toList()) {
                try (var jar = new JarFile(library.toFile())) {
                    assertThat(jar.stream().map(entry -> entry.getName()))
                            .as("%s", library)
                            .noneMatch(name -> name.matches("(?i)META-INF/[^/]*\\.(SF|RSA|DSA|EC)"));
                    assertThat(jar.getManifest().getMainAttributes())
                            .as("%s", library)
                            .isNotEmpty();
                    assertThat(jar.getManifest().getEntries()).as("%s", library).isEmpty();
                }
            }
        }
    }

    @Test
    void a_record_of_the_product_means_what_the_compiled_one_means() throws Exception {
        var urls = new ArrayList<URL>();
        try (var libraries = Files.list(LIBRARIES)) {
            for (var library : libraries.toList()) {
                urls.add(library.toUri().toURL());
            }
        }
        try (var product = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            var type = product.loadClass(GuestPath.class.getName());
            var maker = type.getConstructor(String.class);
            var one = maker.newInstance("/workspace/a");

            assertThat(one)
                    .isEqualTo(maker.newInstance("/workspace/a"))
                    .isNotEqualTo(maker.newInstance("/workspace/b"));
            assertThat(one.hashCode()).isEqualTo(new GuestPath("/workspace/a").hashCode());
            assertThat(one.toString()).isEqualTo(new GuestPath("/workspace/a").toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rehearsal", "rehearsal-long"})
    void every_command_line_of_the_rehearsal_is_one_of_the_product(String rehearsal)
            throws IOException, InterruptedException {
        var file = ROOT.resolve("libexec").resolve(rehearsal);
        var lines = Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();

        var result = Desk.in(root).product("rehearse", file.toString());

        assertThat(result.exit()).as("%s", result).isZero();
        assertThat(lines)
                .isNotEmpty()
                .allSatisfy(line ->
                        assertThat(result.out()).containsPattern("(?m)^[0134567]\t" + Pattern.quote(line) + "$"));
    }

    private void assertStartsCleanly(Path product) throws IOException, InterruptedException {
        var result = Desk.in(root).shell("exec \"$1\" version", product.toString());

        assertThat(result.exit()).as("%s", result).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("cagewright ").hasLineCount(3);
    }

    /// The lines of the class-loading log of the product's own classes and of picocli's.
    private List<String> loaded(Path product, String... words) throws IOException, InterruptedException {
        var log = root.resolve("classes.log");
        var result = Desk.in(root)
                .with("_JAVA_OPTIONS", "-Xlog:class+load:file=" + log)
                .shell(
                        "exec \"$@\"",
                        Stream.concat(Stream.of(product.toString()), Stream.of(words))
                                .toArray(String[]::new));
        assertThat(result.exit()).as("%s", result).isZero();
        var lines = Files.readAllLines(log).stream()
                .filter(line -> line.contains(" dev.cagewright.") || line.contains(" picocli."))
                .toList();
        assertThat(lines).isNotEmpty();
        return lines;
    }

    /// A checkout's launcher with its product, built as far as it can see.
    private Path copyOfTheProduct() throws IOException {
        var copy = Files.createDirectories(root.resolve("copy"));
        for (var part : List.of("cagewright", "libexec", "cli/target/product")) {
            try (var files = Files.walk(ROOT.resolve(part))) {
                for (var file : files.toList()) {
                    var target = copy.resolve(ROOT.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        return copy.resolve("cagewright");
    }

    private static String oneLibrary() throws IOException {
        try (var libraries = Files.list(LIBRARIES)) {
            return libraries
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("cagewright-policy"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static List<String> classesThatName(Path library, String name) throws IOException {
        var found = new ArrayList<String>();
        try (var jar = new JarFile(library.toFile())) {
            for (var entry : jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .toList()) {
                try (var content = jar.getInputStream(entry)) {
                    if (new String(content.readAllBytes(), StandardCharsets.ISO_8859_1).contains(name)) {
                        found.add(library.getFileName() + ": " + entry.getName());
                    }
                }
            }
        }
        return found;
    }

    private static List<String> oldClasses(Path library) throws IOException {
        var old = new ArrayList<String>();
        try (var jar = new JarFile(library.toFile())) {
            for (var entry : jar.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .toList()) {
                try (var content = jar.getInputStream(entry)) {
                    if (content.readNBytes(8)[7] < OLDEST_MAJOR) {
                        old.add(library.getFileName() + ": " + entry.getName());
                    }
                }
            }
        }
        return old;
    }
}
