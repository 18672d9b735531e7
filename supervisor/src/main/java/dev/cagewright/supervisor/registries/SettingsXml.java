package dev.cagewright.supervisor.registries;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/// The addresses of the mirrors, repositories and plug-in repositories of a `settings.xml` or a POM.
///
/// @param urls in the order of the file
/// @param isCentralMirrored does a mirror stand for the central repository?
record SettingsXml(List<String> urls, boolean isCentralMirrored) {
    private static final Set<String> OWNERS = Set.of("mirror", "repository", "pluginRepository");
    private static final Set<String> ALL = Set.of("*", "central", "external:*", "external:http:*");

    SettingsXml {
        urls = List.copyOf(urls);
    }

    /// Reads without a document type and without entities of its own.
    ///
    /// @throws UnknownRegistryException if it is not well-formed
    static SettingsXml read(String text, String shown) throws UnknownRegistryException {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            return read(factory.createXMLStreamReader(new StringReader(text)));
        } catch (XMLStreamException e) {
            var line =
                    e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNumber();
            throw new UnknownRegistryException(shown + " is not well-formed XML" + line);
        }
    }

    private static SettingsXml read(XMLStreamReader xml) throws XMLStreamException {
        var urls = new ArrayList<String>();
        boolean isMirrored = false;
        Deque<String> open = new ArrayDeque<>();
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> open.push(xml.getLocalName());
                case XMLStreamConstants.END_ELEMENT -> open.pop();
                case XMLStreamConstants.CHARACTERS -> {
                    var text = xml.getText().strip();
                    if (!text.isEmpty() && isOf(open, "url")) {
                        urls.add(text);
                    }
                    isMirrored |= isOf(open, "mirrorOf") && standsForCentral(text);
                }
                default -> {}
            }
        }
        return new SettingsXml(urls, isMirrored);
    }

    private static boolean isOf(Deque<String> open, String name) {
        var path = open.iterator();
        return path.hasNext() && path.next().equals(name) && path.hasNext() && OWNERS.contains(path.next());
    }

    private static boolean standsForCentral(String mirrorOf) {
        var names = List.of(mirrorOf.split("\\s*,\\s*", -1));
        return !names.contains("!central")
                && names.stream().anyMatch(name -> ALL.contains(name) && !name.endsWith("http:*"));
    }
}
