package dev.cagewright.sandbox.pivots;

import dev.cagewright.sandbox.pivots.HostPivot.Kind;
import java.util.List;
import java.util.stream.Stream;

/// One row of the table of names that tools run or obey without asking. The table is in `docs/after-run.md`.
///
/// @param names the last names of a path; each may begin or end with `*`
record PivotName(List<String> names, Kind kind, String sentence) {
    static final List<PivotName> TABLE = Stream.of(
                    rows(
                            Kind.HOOK,
                            "git and its hook managers run it",
                            ".husky/* .githooks/* hooks/pre-commit hooks/post-checkout hooks/post-merge hooks/pre-push"
                                    + " .pre-commit-config.yaml .pre-commit-config.yml lefthook.yml .lefthook.yml"
                                    + " .overcommit.yml .lintstagedrc* .pre-commit-hooks.yaml .gitattributes .gitmodules"),
                    rows(
                            Kind.CI,
                            "a build server runs it",
                            ".github/workflows/* .github/actions/*/* .gitlab-ci.yml .gitlab/ci/* .circleci/*"
                                    + " .forgejo/workflows/* .gitea/workflows/* .woodpecker/* .woodpecker.yml"
                                    + " .buildkite/* .drone.yml .travis.yml .cirrus.yml .appveyor.yml appveyor.yml"
                                    + " azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml Jenkinsfile"
                                    + " .github/dependabot.yml renovate.json workflows/*"),
                    rows(Kind.BUILD, "make runs it", "Makefile makefile GNUmakefile *.mk"),
                    rows(
                            Kind.BUILD,
                            "npm and its kin run its scripts",
                            "package.json .yarnrc.yml .yarnrc .pnpmfile.cjs .npmrc bunfig.toml binding.gyp .yarn/*/* deno.json deno.jsonc"),
                    rows(
                            Kind.BUILD,
                            "JavaScript tools run it",
                            "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .eslintrc.js .eslintrc.cjs"
                                    + " .prettierrc.js .babelrc.js Gruntfile.js gulpfile.js turbo.json nx.json"),
                    rows(
                            Kind.BUILD,
                            "pip, pytest and their kin run it",
                            "setup.py setup.cfg pyproject.toml conftest.py pytest.ini tox.ini noxfile.py tasks.py"
                                    + " fabfile.py SConstruct SConscript"),
                    rows(
                            Kind.BUILD,
                            "Java build tools run it",
                            "build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle"
                                    + " gradle.properties gradle/wrapper/* pom.xml .mvn/* .mvn/wrapper/* build.xml build.sbt"
                                    + " gradlew mvnw"),
                    rows(
                            Kind.BUILD,
                            "build tools run it",
                            "build.rs .cargo/config.toml .cargo/config CMakeLists.txt *.cmake meson.build BUILD.bazel"
                                    + " BUILD WORKSPACE MODULE.bazel .bazelrc *.bzl configure Rakefile Gemfile *.gemspec"
                                    + " composer.json mix.exs Package.swift Justfile justfile .justfile Taskfile.yml"
                                    + " Taskfile.yaml taskfile.yml flake.nix shell.nix default.nix devbox.json"
                                    + " .mise.toml mise.toml .tool-versions *.csproj *.fsproj *.vbproj *.vcxproj *.targets"
                                    + " *.props Directory.Build.* rust-toolchain rust-toolchain.toml CMakePresets.json Brewfile *.tf"
                                    + " ansible.cfg"),
                    rows(
                            Kind.CONTAINER,
                            "container and machine builders run it",
                            "Dockerfile Dockerfile.* *.Dockerfile Containerfile docker-compose.yml docker-compose.yaml"
                                    + " compose.yml compose.yaml Vagrantfile Tiltfile skaffold.yaml"),
                    rows(
                            Kind.AGENT,
                            "agents take it for instructions",
                            "AGENTS.md CLAUDE.md GEMINI.md .github/copilot-instructions.md"),
                    rows(
                            Kind.STARTUP,
                            "a desktop or service manager starts what it names",
                            "*.desktop *.service *.timer"),
                    rows(
                            Kind.STARTUP,
                            "a shell, interpreter or debugger runs it at its start",
                            ".envrc .direnv/* sitecustomize.py usercustomize.py *.pth .Rprofile .irbrc .pryrc .gdbinit"
                                    + " .lldbinit .psqlrc .bashrc .profile .zshrc .bash_profile .zshenv .zprofile"
                                    + " .local/bin/*"))
            .flatMap(rows -> rows)
            .toList();

    private static Stream<PivotName> rows(Kind kind, String sentence, String names) {
        return Stream.of(names.split(" ", -1)).map(name -> new PivotName(List.of(name.split("/", -1)), kind, sentence));
    }

    /// Do the last of `path`'s names match?
    boolean matches(List<String> path) {
        if (path.size() < names.size()) {
            return false;
        }
        int skipped = path.size() - names.size();
        for (int i = 0; i < names.size(); i++) {
            if (!matches(names.get(i), path.get(skipped + i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.startsWith("*")) {
            return name.endsWith(pattern.substring(1));
        }
        if (pattern.endsWith("*")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return name.equals(pattern);
    }
}
