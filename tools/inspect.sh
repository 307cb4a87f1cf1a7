#!/usr/bin/env bash
# Lists and calls every tool with the MCP Inspector's command line, under both protocol eras, over stdio and HTTP,
# against the sandbox.
# Node and the Inspector come from the npm registry into a folder of their own; nothing is installed globally.
set -euo pipefail
bin=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" node@22 @modelcontextprotocol/inspector@2.12.0
export PATH="$folder/node_modules/.bin:$PATH" HOME="$folder"
echo "node $(node --version), inspector $(mcp-inspector --version)"

"$bin/biofact" serve --sandbox --http 127.0.0.1:0 2>"$folder/address" &
server=$!
until grep -q http "$folder/address"; do sleep 0.2; done
url=$(grep -o 'http://[^ ]*' "$folder/address" | head -n 1)

inspect() { mcp-inspector --cli --quiet --format json --connect-timeout 120000 --protocol-era "$era" "$@" "${target[@]}"; }

# A failed call has an exit status of its own; what is judged is what the Inspector shows.
for wire in stdio http; do
  target=("$bin/biofact" serve --sandbox) chosen=(cat)
  [ "$wire" = stdio ] || target=("$url") chosen=(awk -F '\t' '!seen[$1]++')  # over HTTP one call of each tool
  for era in legacy modern; do
    inspect --strict --method tools/list >"$folder/tools.json" 2>"$folder/warnings"
    if [ -s "$folder/warnings" ]; then cat "$folder/warnings" >&2; exit 1; fi  # its exit status is that of errors only
    echo "$wire, $era: $("$bin/python" "$here/inspect_examples.py" count "$folder/tools.json") tools listed, no warning"
    "$bin/python" "$here/inspect_examples.py" calls | "${chosen[@]}" | while IFS=$'\t' read -r tool outcome arguments; do
      inspect --method tools/call --tool-name "$tool" --tool-args-json "$arguments" >"$folder/answer.json" </dev/null || true
      "$bin/python" "$here/inspect_examples.py" judge "$outcome" "$folder/answer.json"
      echo "$wire, $era: $tool $arguments: $outcome"
    done
  done
done
