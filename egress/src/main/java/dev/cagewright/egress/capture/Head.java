package dev.cagewright.egress.capture;

import java.util.List;

/// A head as it stood on one side of the gateway.
public sealed interface Head {
    /// In their order.
    List<Field> fields();

    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2`.
    String version();

    /// What was asked.
    ///
    /// @param url in full, as it was written
    record Request(String method, String url, String version, List<Field> fields) implements Head {
        public Request {
            fields = List.copyOf(fields);
        }
    }

    /// What was answered.
    record Answer(int status, String reason, String version, List<Field> fields) implements Head {
        public Answer {
            fields = List.copyOf(fields);
        }
    }
}
