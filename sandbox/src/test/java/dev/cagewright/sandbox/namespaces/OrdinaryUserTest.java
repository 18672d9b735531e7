package dev.cagewright.sandbox.namespaces;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/// The same suites once more as a user with no privilege at all. When the build itself is run by an
/// ordinary user, the suites have already run as one.
@EnabledIf(value = "isRoot", disabledReason = "the suites already run as an ordinary user")
class OrdinaryUserTest {
    private static final String SOMEBODY = "61234";
    private static final List<Class<?>> SUITES = List.of(
            NamespacesRunTest.class,
            ResidentRuntimeTest.class,
            NamespacesFileTest.class,
            NamespacesActTest.class,
            NamespacesMaskTest.class,
            NamespacesUncoveredTest.class,
            NamespacesCopyTest.class,
            NamespacesFilterTest.class,
            NamespacesProcessTest.class,
            NamespacesLimitTest.class,
            NamespacesTerminalTest.class,
            NamespacesProgramTest.class,
            NetCellTest.class);

    @TempDir
    Path folder;

    static boolean isRoot() {
        return System.getProperty("user.name", "").equals("root");
    }

    @Test
    void the_suites_hold_for_an_ordinary_user() throws IOException, InterruptedException {
        var report = folder.resolve("report");
        var command = new ArrayList<>(List.of(
                "setpriv",
                "--reuid=" + SOMEBODY,
                "--regid=" + SOMEBODY,
                "--clear-groups",
                "--inh-caps=-all",
                "--bounding-set=-all",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("tmp")),
                "-cp",
                readableClassPath(),
                ReportedSuites.class.getName(),
                report.toString()));
        SUITES.forEach(suite -> command.add(suite.getName()));
        command.add("dev.cagewright.sandbox.pool.WarmPoolTest");
        giveAway();
        var child = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        child.environment().put("LANG", "C.UTF-8");
        var process = child.start();
        assertThat(process.waitFor(15, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(report)).matches("(?s)[1-9][0-9]+ 0\n.*");
    }

    /// Copies of everything: the originals may lie where only this user can look.
    private String readableClassPath() throws IOException {
        var copies = new ArrayList<String>();
        for (var element : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            var source = Path.of(element);
            if (Files.exists(source)) {
                var copy = folder.resolve("element" + copies.size() + (Files.isDirectory(source) ? "" : ".jar"));
                copyTree(source, copy);
                copies.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copyTree(Path source, Path target) throws IOException {
        try (Stream<Path> tree = Files.walk(source)) {
            for (var path : (Iterable<Path>) tree::iterator) {
                Files.copy(
                        path, target.resolve(source.relativize(path).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private void giveAway() throws IOException, InterruptedException {
        var owner = SOMEBODY + ":" + SOMEBODY;
        assertThat(new ProcessBuilder("chown", "-R", owner, folder.toString())
                        .start()
                        .waitFor())
                .isZero();
    }
}
