import java.io.File;
import org.cyclonedx.Version;
import org.cyclonedx.exception.ParseException;
import org.cyclonedx.parsers.JsonParser;

/// `java ReadBill.java BILL`: reads a bill of materials with another program's eyes: by the schema of CycloneDX 1.6, and as
/// objects. Prints the components; ends with 1 when it is not valid.
public final class ReadBill {
    private ReadBill() {}

    public static void main(String... paths) throws Exception {
        var file = new File(paths[0]);
        var parser = new JsonParser();
        var faults = parser.validate(file, Version.VERSION_16);
        faults.forEach(fault -> System.err.println(fault.getMessage()));
        parser.parse(file).getComponents().forEach(part -> System.out.println(part.getName() + " " + part.getVersion()));
        System.exit(faults.isEmpty() ? 0 : 1);
    }
}
