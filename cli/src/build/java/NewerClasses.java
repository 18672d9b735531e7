import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// `java NewerClasses.java IN OUT`: the same jar with its old classes in a newer form. The start-up cache of the JVM
/// leaves out classes older than Java 6 (major version 50), because those have no stack maps, and a program with
/// such a library loads and verifies it anew at each start. This computes the maps (JVMS 4.7.4) and raises the
/// version; instructions, names and annotations stay. The result is verified, and depends on the input alone.
public final class NewerClasses {
    /// The first version that always needs stack maps, Java 7, and has nothing else that an old class could miss.
    private static final int VERSION = ClassFile.JAVA_7_VERSION;

    /// What a zip entry can say of a time, the same on every machine.
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private final ClassFile form;

    private NewerClasses(ClassLoader library) {
        var hierarchy = ClassHierarchyResolver.ofResourceParsing(library).cached();
        this.form = ClassFile.of(StackMapsOption.GENERATE_STACK_MAPS, ClassHierarchyResolverOption.of(hierarchy));
    }

    public static void main(String... paths) throws IOException {
        var in = Path.of(paths[0]);
        var out = Path.of(paths[1]);
        var half = out.resolveSibling(out.getFileName() + ".half");
        try (var library = new URLClassLoader(new URL[] {in.toUri().toURL()});
                var jar = new JarFile(in.toFile());
                var target = new ZipOutputStream(Files.newOutputStream(half))) {
            var newer = new NewerClasses(library);
            for (var entry : jar.stream().filter(entry -> !entry.isDirectory()).toList()) {
                var content = jar.getInputStream(entry).readAllBytes();
                var copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(TIME);
                target.putNextEntry(copy);
                target.write(entry.getName().endsWith(".class") ? newer.of(entry.getName(), content) : content);
            }
        }
        Files.move(half, out, StandardCopyOption.REPLACE_EXISTING);
    }

    private byte[] of(String name, byte[] old) throws IOException {
        var parsed = form.parse(old);
        if (parsed.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            return old;
        }
        var transform = ClassTransform.dropping(ClassFileVersion.class::isInstance)
                .andThen(ClassTransform.transformingMethodBodies((code, instruction) -> code.with(instruction)))
                .andThen(ClassTransform.endHandler(built -> built.withVersion(VERSION, 0)));
        var raised = form.transformClass(parsed, transform);
        var faults = form.verify(raised);
        if (!faults.isEmpty()) {
            throw new IOException(name + ": " + faults.getFirst().getMessage());
        }
        return raised;
    }
}
