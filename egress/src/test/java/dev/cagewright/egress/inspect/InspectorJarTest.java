package dev.cagewright.egress.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cagewright.policy.document.InspectSection;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Inspectors from jars that are compiled here.
class InspectorJarTest {
    private static final String SERVICE = "META-INF/services/dev.cagewright.egress.inspect.Inspector";

    @TempDir
    private Path folder;

    private static String inspector(String name) {
        return """
                package own;
                import dev.cagewright.egress.inspect.*;
                import java.nio.ByteBuffer;
                public final class Waiter implements Inspector {
                    private static final class Word implements Look {
                        private int at;
                        @Override public Verdict next(ByteBuffer piece) {
                            while (piece.hasRemaining()) {
                                at = piece.get() == "forbidden".charAt(at) ? at + 1 : 0;
                                if (at == 9) { return Verdict.block("word", 0); }
                            }
                            return Verdict.ALLOW;
                        }
                    }
                    @Override public String name() { return "NAME"; }
                    @Override public Look begin(Message message) { return new Word(); }
                }
                """.replace("NAME", name);
    }

    /// @param services what the service file says; empty leaves it out
    private byte[] jar(String source, String services) throws IOException {
        var file = Files.createDirectories(folder.resolve("own")).resolve("Waiter.java");
        Files.writeString(file, source);
        var told = new PrintWriter(Writer.nullWriter());
        int code = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        told,
                        told,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-cp",
                        path(Inspector.class) + ":" + path(InspectSection.class),
                        file.toString());
        assertThat(code).isZero();
        var jar = folder.resolve("own.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar));
                var classes = Files.walk(folder.resolve("own"))) {
            for (Path each :
                    classes.filter(one -> one.toString().endsWith(".class")).toList()) {
                out.putNextEntry(new JarEntry(folder.relativize(each).toString()));
                out.write(Files.readAllBytes(each));
            }
            if (!services.isEmpty()) {
                out.putNextEntry(new JarEntry(SERVICE));
                out.write(services.getBytes(StandardCharsets.UTF_8));
            }
        }
        return Files.readAllBytes(jar);
    }

    private static String path(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }

    private static List<String> kinds(List<Inspector> own, String body) {
        var message = new Message(Message.Direction.REQUEST, "POST", "a.test", 443, "/", List.of());
        try (var examination =
                Inspection.of(InspectSection.SILENT, own, _ -> true).examine(message)) {
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            return examination.next(bytes, 0, bytes.length).stream()
                    .map(finding ->
                            finding.inspector() + " " + finding.kind() + " " + finding.key() + " " + finding.blocks())
                    .toList();
        }
    }

    @Test
    void an_inspector_out_of_a_jar_blocks_what_it_is_made_for() throws IOException {
        var own = InspectorJar.load(jar(inspector("waiter"), "own.Waiter\n"));
        assertThat(kinds(own, "this is forbidden here")).containsExactly("waiter waiter.word inspect.custom true");
        assertThat(kinds(own, "this is for bidden here")).isEmpty();
    }

    @Test
    void what_becomes_of_the_jar_afterwards_changes_nothing() throws IOException {
        var own = InspectorJar.load(jar(inspector("waiter"), "own.Waiter\n"));
        Files.delete(folder.resolve("own.jar"));
        assertThat(kinds(own, "forbidden")).hasSize(1);
    }

    @Test
    void a_jar_that_gives_no_inspector_is_refused() throws IOException {
        var silent = jar(inspector("waiter"), "");
        assertThatThrownBy(() -> InspectorJar.load(silent))
                .isInstanceOf(IOException.class)
                .hasMessage("it names no inspector in META-INF/services/dev.cagewright.egress.inspect.Inspector");
        var wrong = jar(inspector("waiter"), "own.Nobody\n");
        assertThatThrownBy(() -> InspectorJar.load(wrong))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("own.Nobody");
        assertThatThrownBy(() -> InspectorJar.load("no jar at all".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_name_of_the_products_own_or_of_another_form_is_refused() throws IOException {
        for (String name : List.of("secrets", "body", "Waiter", "a b", "")) {
            var jar = jar(inspector(name), "own.Waiter\n");
            assertThatThrownBy(() -> InspectorJar.load(jar))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("name");
        }
    }
}
