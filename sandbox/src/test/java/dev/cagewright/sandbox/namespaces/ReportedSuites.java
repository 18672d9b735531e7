package dev.cagewright.sandbox.namespaces;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/// Runs test classes in a Java virtual machine of their own and writes how they went to a file: the number
/// that succeeded and the number that failed on the first line, then the failures.
final class ReportedSuites {
    private ReportedSuites() {}

    /// Runs and reports.
    ///
    /// @param arguments the file, then the names of the classes
    public static void main(String[] arguments) throws IOException {
        var request = LauncherDiscoveryRequestBuilder.request();
        Arrays.stream(arguments).skip(1).forEach(name -> request.selectors(DiscoverySelectors.selectClass(name)));
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request.build(), listener);
        var summary = listener.getSummary();
        try (var report = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0])))) {
            report.println(summary.getTestsSucceededCount() + " " + summary.getTotalFailureCount());
            summary.printFailuresTo(report, 20);
        }
    }
}
