#!/bin/sh
# Writes docs/cases.md anew: every case of the areas below, and the tests that carry its id in their names.
#     docs/cases.sh            writes docs/cases.md
#     docs/cases.sh missing    prints the ids that apply and have no test
set -eu
cd "$(dirname -- "$0")/.."
export LC_ALL=C

# id | area | kind of fault | why it does not apply yet (empty when it does)
cases() {
    cat <<'END'
B101|sandbox-fs|a unix socket of the host, connected to through a read-only mount|
B102|sandbox-fs|a host daemon on the session bus that acts for the cage|
B104|sandbox-fs|links, loops and thousands of secret files that stop unrelated programs|
B105|sandbox-fs|a mask that does not fit what stands at the protected name|
B108|sandbox-fs|content put at a protected name by rename, link or exchange|
B109|sandbox-fs|a protected file that is moved with its folder|
B110|sandbox-fs|git on the host runs what the repository's settings name|
B113|sandbox-fs|hooks and files that tools run, at unusual places|
B114|sandbox-fs|a protected name that does not exist at the start|
B115|sandbox-fs|a file tool follows a link in a parent that is made later|
B119|sandbox-fs|one missing path that undoes all Landlock rules|
B121|sandbox-fs|nested mounts in the wrong order|
B123|sandbox-fs|one file that is many tools|
B124|sandbox-fs|an archive of the cage's, unpacked on the host|The product unpacks no archive and restores no backup yet
B125|sandbox-fs|links that are lost or followed by backup and restore|
B126|sandbox-fs|names with line ends and bytes that are not text|
B127|sandbox-fs|an older or newer variant of a call that a filter forgot|
B128|sandbox-fs|a single file of another owner as a mount|
B131|sandbox-proc|bytes pushed into a terminal by an ioctl with high bits|
B133|sandbox-proc|Ctrl-C, TERM and a closed terminal|
B134|sandbox-proc|exit codes and signals that are lost on the way|
B135|sandbox-proc|background processes that outlive a run|
B137|sandbox-proc|a time limit that waits for a grandchild's pipe|
B138|sandbox-proc|dead processes that nobody collects|
B139|sandbox-proc|a program that hangs when its output is cut|
B141|sandbox-proc|output cut in the middle of a character|
B145|sandbox-proc|a working directory that leads out of the root|
B146|sandbox-proc|the host's processes and the first process seen from inside|
B148|sandbox-proc|network calls by io_uring|
B149|sandbox-proc|32-bit and other entries into the kernel|
B150|sandbox-proc|calls that change the view or reach into others|
B151|sandbox-proc|abstract sockets of the host|
B154|sandbox-proc|the product inside of a container|Needs a container engine, which the tests have not; what a host lacks is refused by step, call and remedy, and `doctor` tries it
B156|sandbox-proc|sizes that overflow or are read in two ways|
B157|sandbox-proc|limits that raise what was inherited|
B159|sandbox-proc|a client whose program file was replaced while it runs|No request is judged by the program that makes it; a cage has no network yet
B161|sandbox-proc|a terminal left in another mode|
B162|sandbox-proc|thousands of runs under a product that is PID 1 of a container|
B164|argv-policy|git options that run programs|
B166|argv-policy|inline code in every spelling of an option|
B167|argv-policy|environment variables that change what runs|
B170|argv-policy|names that only begin like an allowed one|
B171|argv-policy|a program's name that reads as an option|
B173|argv-policy|sed and others that write or run|
B174|argv-policy|an allowed name that is a link|
B175|argv-policy|arguments with line ends, quotes and length|
B177|argv-policy|names with an unseen end of line|
B178|argv-policy|explain and enforcement that differ|
B195|audit|two writers behind one line|
B197|audit|a torn last line|
B198|audit|a log that cannot be written|
B200|audit|terminal escapes in a view of the log|
B201|audit|a line break that forges an entry|
B204|audit|a state file that was cut|
B205|audit|numbers and twins that a parser folds|
B206|audit|a reason cut before the useful part|
B207|audit|a cut inside of a character|
B003|egress|two framings of one body|
B006|egress|line breaks inside of a chunk extension|
B007|egress|a second request behind the first in one write|
B013|egress|a WebSocket, and one that nobody asked for|
B015|egress|a response that was cut and ends like a whole one|
B017|egress|trailers that are lost|
B018|egress|accepting that ends when descriptors run out|
B021|egress|a connection that outlives its permission|
B023|egress|clients that ignore proxy settings|
B025|egress|codings spelled oddly|
B026|egress|ports that two programs read differently|
B028|egress|hosts compared by their last letters|
B029|egress|list entries that mean nothing|
B030|egress|wildcards that mean everything|
B031|egress|ranges and single addresses in two orders|No rule denies an address or a range: `addresses` only narrow the rule that names them
B032|egress|another protocol inside of a tunnel|
B033|egress|an authority with user information, backslash or fragment|
B034|egress|redirects that are followed out of the policy|
B035|egress|HTTP/2 headers that become other HTTP/1 headers|
B036|egress|bodies that inflate without a bound|
B037|egress|budgets that parallel requests or a crash exceed|
B039|egress|IPv6 addresses without brackets, with zones, or carrying IPv4|
B040|egress|large pushes that are held whole or time out|
B041|egress|a socket left hanging after a denial|
B043|egress|special hosts that open too much|
B045|egress|comparisons that follow the locale|
B046|egress|loopback inside of the cage|
B047|egress|failures that are not recorded|
B049|dns|IPv4 addresses in IPv6 spellings|
B051|dns|numbers that libraries read as addresses|
B054|dns|look-ups that the product makes for denied names|
B055|dns|data carried out in the names of look-ups|
B057|dns|service records that lead around the gateway|
B058|dns|names in several spellings|
B060|dns|one forbidden address among several|
B061|dns|name service files that hang on the host's links|
B062|dns|the unspecified address|
B063|dns|silent, failing and cutting name servers|
B064|dns|a raw address under an allowed name|
B066|tls|certificates that strict clients refuse|
B068|tls|certificates that clocks and long runs outlast|
B070|tls|Java clients and their own trust store|
B072|tls|TLS without a server name|
B074|tls|a server name that differs, and a hello in pieces|
B075|tls|an upstream whose certificate is bad|
B076|tls|git and its submodules under an own authority|
B078|tls|handshakes that trickle|
B079|secrets|a value cut over two pieces of an answer|
B080|secrets|one value that begins like another|
B082|secrets|values in compressed answers|
B085|secrets|a decoy cut over two writes|
B087|secrets|one secret bound in two ways|
B088|secrets|a value in what is written down of a request|
B089|secrets|data that looks like a key and is none|
B090|secrets|text that is cut before values are taken out|
B091|secrets|a value in the text form of what holds it|
B093|secrets|a value in the processes of the cage|
B094|secrets|a secret that follows a redirect|
B097|secrets|an error page that shows the request|
B098|secrets|values in heads, trailers and messages of answers|
B208|mcp|framing that no client speaks|
B210|mcp|a line without end that fills memory|
B211|mcp|half a message that wedges the server|
B214|mcp|a client that is gone, and a tool that goes on|
B216|mcp|one byte that is no UTF-8|
B217|mcp|pages of a list without end|
B221|mcp|a web page that reaches an address of this machine|
B223|mcp|two servers with one name for a tool|
B224|mcp|a definition that changes after it was accepted|
B225|mcp|a member that stands twice|
B227|mcp|answers that fit no request|
B228|mcp|patterns that take for ever|
B229|mcp|a parameter that becomes an option|
B232|mcp|a question that cannot reach its client|
B233|mcp|names that are not ASCII|
B234|mcp|one session that ends all others|
B254|cli|options of the program taken by the wrapper|
B255|cli|odd lengths of time|
B258|cli|a setting that is shown and not used|
B259|cli|a user and group read wrongly|There is no option for a user; the workload's user follows from the workspace's owner
B260|cli|a port published on every interface|The product publishes no port and listens on none of the host
B264|cli|an exit code that a wrapper hides|
B265|cli|names outside of the locale's charset|
B266|cli|a policy or helper picked up from the current directory|
B268|yaml|words that become booleans|
B270|yaml|nesting and sizes without a bound|
B271|yaml|tags that make objects|
B272|yaml|a key that stands twice|
B277|yaml|path patterns that mean nothing|
B279|yaml|YAML built by pasting text|
B280|yaml|blanks and variables in mounts|
B281|yaml|spellings that readers take differently|
B181|tokens|signatures of zeros and of odd lengths|
B182|tokens|a token that says it needs no signature|
B184|tokens|a chain that shows its origin and not its rights|
B185|tokens|fields of the root's in a child|
B187|tokens|tokens that are huge or packed|
B188|tokens|a list of what is revoked that is old, broken or gone|
B189|tokens|a list of what is revoked that nobody asks|
B191|tokens|a slash at the end that decides|
B192|tokens|an end that is stored and not looked at|
B236|control|an approval that serves twice|
B238|control|the late end of an old run, taken for the new one's|Each run has a supervisor and a cage of its own; nothing is started again in one yet
B239|control|a retry that executes again after a crash|No control plane takes commands yet
B241|control|one stuck cage that holds up others|Cages have no supervisor in common yet
B242|control|a foreign instance taken from the pool|Cages of the pool are processes that the supervisor started itself and holds; none is looked for by a name
B243|control|a tenant that sets reserved labels|There are no labels yet
B244|control|an image's tag that moves after the approval|There are no images yet
B245|control|a client that follows a redirect out of a cage|The product asks no server in a cage yet
B246|control|a connection that is kept over pause and resume|
B248|control|text of an approval that its requester chose|
B250|control|a run inside of a run, with another policy|
B251|control|a change of a policy that reaches the enforcer late|
END
}

# "B101 Class.method" lines, one for each id that a name begins with: JUnit methods, and the probes of the escape suite.
tests() {
    find . -path '*/src/test/*' -name '*.java' ! -path '*/target/*' -exec grep -noE 'void B[0-9]{3}_[A-Za-z0-9_]+\(' {} + |
        sed -E 's|^.*/([A-Za-z0-9]+)\.java:[0-9]+:void ([A-Za-z0-9_]+)\($|\2 `\1.\2`|' |
        awk '{ for (ids = $1; match(ids, /^B[0-9][0-9][0-9]_/); ids = substr(ids, 6)) print substr(ids, 1, 4), $2 }'
    find ./escape/src/test \( -name '*.java' -o -name '*.c' \) -exec grep -ohE '"B[0-9]{3}-[a-z0-9-]+"' {} + 2>/dev/null |
        sed -E 's|^"(B[0-9]{3})(-[a-z0-9-]+)"$|\1 `EscapeTest` probe `\1\2`|'
}

rows() {
    found=$(tests | sort -u)
    cases | while IFS='|' read -r id area kind reason; do
        names=$(printf '%s\n' "$found" | sed -n "s/^$id //p" | sed -e ':a' -e 'N' -e '$!ba' -e 's/\n/, /g')
        if [ -z "$names" ]; then
            names=${reason:-**no test yet**}
        fi
        printf '%s|%s|%s|%s\n' "$area" "$id" "$kind" "$names"
    done
}

missing() {
    rows | awk -F'|' '$4 == "**no test yet**" {print $2}'
}

document() {
    cat <<'END'
# Cases

Faults that software of this kind has had, and the tests that keep them out of this one. A test carries the case's id
in its name; a suite such as `FileSuite` runs through `NamespacesFileTest` and its like, and again as an ordinary user
through `OrdinaryUserTest`. Written by `docs/cases.sh`.
END
    rows | awk -F'|' '
        $1 != area { area = $1; print "\n## " area "\n\n| case | what goes wrong | tests, or why it does not apply yet |"
            print "| --- | --- | --- |" }
        { print "| " $2 " | " $3 " | " $4 " |" }'
}

case "${1:-write}" in
    missing) missing ;;
    write) document >docs/cases.md ;;
    *) echo "docs/cases.sh: $1 (expected: nothing, or missing)" >&2; exit 2 ;;
esac
