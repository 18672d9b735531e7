import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
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
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// `java NewerClasses.java PARTS OUT JAR...`: writes jars of the folder PARTS into the folder OUT, with classes that
/// the start-up cache of the JVM can hold. It leaves out classes older than Java 6 (major version 50), because those
/// have no stack maps: this computes the maps (JVMS 4.7.4) and raises the version; instructions, names and
/// annotations stay. It also does not hold what some instructions make at run time: [PlainCalls]. Each result is
/// verified, and depends on the input alone.
///
/// Signatures of jars are checked here, once, and left out: they would no longer hold, the cache takes no class of a
/// signed jar, and jlink takes no signed module.
public final class NewerClasses {
    /// The first version that always needs stack maps, Java 7, and has nothing else that an old class could miss.
    private static final int VERSION = ClassFile.JAVA_7_VERSION;

    /// What a zip entry can say of a time, the same on every machine.
    private static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    /// What makes a jar a signed one, as the specification of jar files has it.
    private static final Pattern SIGNATURE =
            Pattern.compile("META-INF/(SIG-[^/]*|[^/]*\\.(SF|RSA|DSA|EC))", Pattern.CASE_INSENSITIVE);

    private final ClassFile form;

    private NewerClasses(ClassLoader library) {
        var hierarchy = ClassHierarchyResolver.ofResourceParsing(library).cached();
        this.form = ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS,
                ConstantPoolSharingOption.NEW_POOL,
                ClassHierarchyResolverOption.of(hierarchy));
    }

    public static void main(String... words) throws IOException {
        var parts = Path.of(words[0]);
        var out = Path.of(words[1]);
        try (var library = new URLClassLoader(jars(parts))) {
            var newer = new NewerClasses(library);
            for (var jar : List.of(words).subList(2, words.length)) {
                var name = Path.of(jar).getFileName().toString();
                newer.write(parts.resolve(name), out.resolve(name));
            }
        }
    }

    private static URL[] jars(Path folder) throws IOException {
        var urls = new ArrayList<URL>();
        try (var jars = Files.newDirectoryStream(folder, "*.jar")) {
            for (var jar : jars) {
                urls.add(jar.toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    private void write(Path in, Path out) throws IOException {
        var half = out.resolveSibling(out.getFileName() + ".half");
        try (var jar = new JarFile(in.toFile());
                var target = new ZipOutputStream(Files.newOutputStream(half))) {
            boolean isSigned = jar.stream().anyMatch(NewerClasses::isSignature);
            for (var entry : jar.stream().filter(entry -> !entry.isDirectory()).toList()) {
                // The end of a signed entry is where a wrong one is refused.
                var content = jar.getInputStream(entry).readAllBytes();
                if (isSignature(entry)) {
                    continue;
                }
                if (isSigned && entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    content = withoutDigests(jar.getManifest());
                }
                var copy = new ZipEntry(entry.getName());
                copy.setTimeLocal(TIME);
                target.putNextEntry(copy);
                target.write(entry.getName().endsWith(".class") ? of(entry.getName(), content) : content);
            }
        }
        Files.move(half, out, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean isSignature(ZipEntry entry) {
        return SIGNATURE.matcher(entry.getName()).matches();
    }

    private static byte[] withoutDigests(Manifest manifest) throws IOException {
        var main = new Manifest(manifest);
        main.getEntries().clear();
        var out = new ByteArrayOutputStream();
        main.write(out);
        return out.toByteArray();
    }

    private byte[] of(String name, byte[] old) throws IOException {
        var parsed = form.parse(old);
        if (parsed.majorVersion() >= ClassFile.JAVA_6_VERSION) {
            var plain = PlainCalls.of(form, parsed);
            return plain.isPresent() ? verified(name, plain.get()) : old;
        }
        var transform = ClassTransform.dropping(ClassFileVersion.class::isInstance)
                .andThen(ClassTransform.transformingMethodBodies((code, instruction) -> code.with(instruction)))
                .andThen(ClassTransform.endHandler(built -> built.withVersion(VERSION, 0)));
        return verified(name, form.transformClass(parsed, transform));
    }

    private byte[] verified(String name, byte[] made) throws IOException {
        var faults = form.verify(made);
        if (!faults.isEmpty()) {
            throw new IOException(name + ": " + faults.getFirst().getMessage());
        }
        return made;
    }
}
