package dev.cagewright.egress.inspect;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarInputStream;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Inspectors from a jar, whose bytes were read once: what becomes of the file afterwards changes nothing. Its classes
/// see the JDK and this module.
public final class InspectorJar {
    /// The largest jar, unpacked.
    public static final int MOST = 32 * 1024 * 1024;

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,31}");

    private InspectorJar() {}

    /// The inspectors that a jar names.
    ///
    /// @param jar its bytes
    /// @throws IOException if it cannot be read, names none, or one cannot be made
    public static List<Inspector> load(byte[] jar) throws IOException {
        var loader = new Loader(unpacked(jar));
        var inspectors = new ArrayList<Inspector>();
        try {
            for (var inspector : ServiceLoader.load(Inspector.class, loader)) {
                if (inspector.getClass().getClassLoader() == loader) {
                    inspectors.add(named(inspector));
                }
            }
        } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
            throw new IOException("an inspector cannot be made: " + e.getMessage(), e);
        }
        if (inspectors.isEmpty()) {
            throw new IOException("it names no inspector in META-INF/services/" + Inspector.class.getName());
        }
        return inspectors;
    }

    private static Inspector named(Inspector inspector) throws IOException {
        var name = inspector.name();
        if (!NAME.matcher(name).matches() || Inspection.KEYS.contains(name)) {
            throw new IOException("an inspector's name is of another form, or one of the product's own");
        }
        return new PatientInspector(name, inspector, PatientInspector.PATIENCE);
    }

    private static Map<String, byte[]> unpacked(byte[] jar) throws IOException {
        var entries = new HashMap<String, byte[]>();
        int left = MOST;
        try (var in = new JarInputStream(new ByteArrayInputStream(jar))) {
            for (var entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
                var bytes = in.readNBytes(left + 1);
                left -= bytes.length;
                if (left < 0) {
                    throw new IOException("it is larger than " + MOST + " bytes");
                }
                if (!entry.isDirectory()) {
                    entries.put(entry.getName(), bytes);
                }
            }
        }
        return entries;
    }

    /// Classes and resources out of memory.
    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> entries;

        Loader(Map<String, byte[]> entries) {
            super("inspectors", InspectorJar.class.getClassLoader());
            this.entries = entries;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            var bytes = entries.get(name.replace('.', '/') + ".class");
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }

        @Override
        protected @Nullable URL findResource(String name) {
            var bytes = entries.get(name);
            try {
                return bytes == null ? null : URL.of(URI.create("memory:/" + name), new Handler(bytes));
            } catch (MalformedURLException | IllegalArgumentException _) {
                return null;
            }
        }

        @Override
        protected Enumeration<URL> findResources(String name) {
            var url = findResource(name);
            return Collections.enumeration(url == null ? List.of() : List.of(url));
        }
    }

    private static final class Handler extends URLStreamHandler {
        private final byte[] bytes;

        Handler(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        protected URLConnection openConnection(URL url) {
            return new URLConnection(url) {
                @Override
                public void connect() {}

                @Override
                public InputStream getInputStream() {
                    return new ByteArrayInputStream(bytes);
                }
            };
        }
    }
}
