package dev.cagewright.egress.http;

/// A message that cannot be read in one way only.
public final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Malformed what;

    MalformedException(int status, String why) {
        super(why);
        this.what = new Malformed(status, why);
    }

    MalformedException(String why) {
        this(400, why);
    }

    public Malformed what() {
        return what;
    }
}
