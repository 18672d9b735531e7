#!/bin/sh
# Makes the captures of docs/screens.md anew: drives the product in a real terminal (tmux) and writes what it shows between
# the marks there. docs/captures.sh [PRODUCT], by default the checkout's own. Needs tmux and python3.
set -eu
docs=$(CDPATH= cd -P -- "$(dirname -- "$0")" && pwd)
product=${1:-${docs%/*}/cagewright}
case $product in /*) ;; *) product=$PWD/$product ;; esac
top=$(mktemp -d)
trap 'tmux -L "captures-$$" kill-server 2>/dev/null || :; rm -rf -- "$top"' EXIT
mkdir -p "$top/bin" "$top/app" "$top/out" "$top/agent/node_modules/claude"
ln -s "$product" "$top/bin/cagewright"

cat >"$top/agent/node_modules/claude/cli.sh" <<'AGENT'
#!/bin/sh
echo "Reading the repository ..."
curl -s -m 5 -o page https://pkg.test/simple/ || :
curl -s -m 5 -o page https://telemetry.example.com/ || :
rm -f page
mkdir -p src && echo 'print("hello")' >src/app.py && echo '# App' >README.md
echo "Wrote src/app.py. pkg.test is not allowed here; I went on without it."
AGENT
chmod 755 "$top/agent/node_modules/claude/cli.sh"
ln -s ../agent/node_modules/claude/cli.sh "$top/bin/claude"

cat >"$top/app/screen.py" <<'SCREEN'
import curses
import urllib.request


def ask(host):
    try:
        urllib.request.urlopen("http://" + host + "/", timeout=5)
    except OSError:
        pass


def draw(window):
    window.addstr(0, 0, "A full-screen program.")
    window.refresh()
    for host in ("pkg.test", "telemetry.example.com"):
        ask(host)
    window.addstr(1, 0, "It asked for two hosts. Nothing was written over it.")
    window.refresh()
    window.getch()


curses.wrapper(draw)
SCREEN

policy() { # NAME REST
    cat >"$top/$1.yaml" <<POLICY
tool: $1
min_isolation: namespaces
fs:
  mounts:
    - {path: /workspace, mode: rw}
net: {mode: allowlist, hosts: [{host: api.github.com}]}
exec: {allowlist: [python3, cat, ls]}
resources: {memory: 1GiB, processes: 64, timeout: 10m, output: 10MiB}
$2
POLICY
}
policy app ""
policy asking "approval: {timeout: 2m, require_for: [proc.exec: {}]}"

term() { tmux -L "captures-$$" "$@"; }
show() { term capture-pane -p -t s; }
keys() { term send-keys -t s "$@"; }

await() { # PATTERN
    tries=0
    until show | grep -q -e "$1"; do
        tries=$((tries + 1))
        [ "$tries" -lt 600 ] || { echo "captures: nothing like \"$1\" on the screen:" >&2; show >&2; exit 1; }
        sleep 0.1
    done
}

# Writes what is on the screen, without its empty end, with the scratch folder named like a person's home.
keep() { # NAME
    show | sed -e "s#$top#/home/ada#g" | awk 'NF { for (; n > 0; n--) print ""; print; next } { n++ }' >"$top/out/$1"
}

begin() {
    await '^\$ *$'
    keys "clear" Enter
    await '^\$ *$'
}

env -i PATH="$top/bin:$PATH" HOME="$top" LANG=C.UTF-8 XDG_STATE_HOME="$top/.local/state" XDG_CONFIG_HOME="$top/.config" PS1='$ ' \
    ENV= tmux -L "captures-$$" -f /dev/null new-session -d -x 90 -y 30 -s s -c "$top/app" bash --norc
await '[#$] *$'
keys "PS1='\$ '; clear" Enter
begin

keys 'cagewright run claude-code -p "write an app"' Enter
await 'receipt verify'
keep agent
begin
keys 'cagewright run --policy ../app.yaml -- sh -c "echo hello"' Enter
await 'cagewright why'
keep denial
begin
keys 'cagewright run -q --policy ../asking.yaml -- ls' Enter
await 'o: *$'
keys y Enter
await 'screen.py  src'
keep approval
begin
keys 'cagewright run --status title --policy ../app.yaml -- python3 screen.py' Enter
await 'It asked for two hosts'
tries=0
until term display -p -t s '#{pane_title}' | grep -q 2; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] || { echo "captures: no title" >&2; exit 1; }
    sleep 0.1
done
{ term display -p -t s 'title: #{pane_title}'; echo; show | awk 'NF'; } >"$top/out/title"
keys q
await ' exit 0 in'
begin
keys 'cagewright run -q --policy ../app.yaml -- cat' Enter
keys 'hello' Enter
await '^hello'
keys C-z
await 'Stopped'
keys 'fg' Enter
sleep 3
keys 'again' Enter
await '^again'
sleep 1
keys C-d
await '^\$ *$'
keep stop
begin
keys 'cagewright run --status line --policy ../app.yaml -- ls' Enter
await 'expected: title'
keep line
begin
keys 'cagewright ls' Enter
await 'STATE'
keep ls
begin

awk -v out="$top/out" '
    /^<!-- capture [a-z]+ -->$/ { print; print "```"; while ((getline line < (out "/" $3)) > 0) print line; print "```"; skip = 1; next }
    /^<!-- end -->$/ { skip = 0 }
    !skip { print }' "$docs/screens.md" >"$top/screens.md"
cat "$top/screens.md" >"$docs/screens.md"
