#!/bin/sh
# Lints all Cypher of the project; brings the linter at the first call. Needs Node 20 or newer with npm: skipped without.
set -eu
cd "$(dirname "$0")"
if ! command -v npm >/dev/null; then
  echo 'Cypher linter skipped: needs Node 20 or newer with npm'
  test "${CI:-}" != true
  exit
fi
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci --silent --no-audit --no-fund
fi
cd ../..
exec node tests/cypher_lint/lint.mjs graphdb/cypher/*.cypher graphdb/browser/*.cypher ./*.md $(find docs -name '*.md')
