/// The person's door: commands, their words and their exit codes. Holds the only `main`.
module dev.cagewright.cli {
    requires static org.jspecify;
    requires dev.cagewright.mcp;
    requires dev.cagewright.supervisor;
    requires info.picocli;
    requires jdk.unsupported;

    opens dev.cagewright.cli to
            info.picocli;
    opens dev.cagewright.cli.approval to
            info.picocli;
    opens dev.cagewright.cli.audit to
            info.picocli;
    opens dev.cagewright.cli.changes to
            info.picocli;
    opens dev.cagewright.cli.completion to
            info.picocli;
    opens dev.cagewright.cli.demo to
            info.picocli;
    opens dev.cagewright.cli.demo.attack to
            info.picocli;
    opens dev.cagewright.cli.evidence to
            info.picocli;
    opens dev.cagewright.cli.fetch to
            info.picocli;
    opens dev.cagewright.cli.grant to
            info.picocli;
    opens dev.cagewright.cli.host to
            info.picocli;
    opens dev.cagewright.cli.life to
            info.picocli;
    opens dev.cagewright.cli.named to
            info.picocli;
    opens dev.cagewright.cli.mcp to
            info.picocli;
    opens dev.cagewright.cli.net to
            info.picocli;
    opens dev.cagewright.cli.policy to
            info.picocli;
    opens dev.cagewright.cli.run to
            info.picocli;
    opens dev.cagewright.cli.scaffold to
            info.picocli;
    opens dev.cagewright.cli.secret to
            info.picocli;
    opens dev.cagewright.cli.session to
            info.picocli;
    opens dev.cagewright.cli.summary to
            info.picocli;
    opens dev.cagewright.cli.token to
            info.picocli;
}
