package dev.cagewright.escape;

/// What the product promises of every cage; each probe attacks one of them.
public enum Invariant {
    I1("no packet of the cage reaches a network except through the gateway"),
    I2("no secret value in the cage's memory, files, environment or arguments, nor in any log or core file"),
    I3("a token only narrows"),
    I4("the intent is durable before the act"),
    I5("any edit, deletion or reordering of the log is found"),
    I6("the cage cannot change or reach its policy, its supervisor or its log"),
    I7("nothing of a session is reachable from another or after teardown"),
    I8("no weaker isolation than asked without a named and recorded relaxation"),
    I9("nothing the cage wrote is executed on the host unseen"),
    I10("what explain says is what the kernel does"),
    I11("an approval covers exactly the bytes that leave"),
    I12("every process of a run is dead when the run is over");

    private final String promise;

    Invariant(String promise) {
        this.promise = promise;
    }

    public String promise() {
        return promise;
    }
}
