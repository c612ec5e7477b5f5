// Lints Cypher with Neo4j's own language support: node lint.mjs FILE…
// A .cypher file is linted whole; of any other text file, each ```cypher block. Names that are not the graph's own
// (docs: the graph) are errors as well. Prints file:line: message; exit status 1 if there is anything to say.
import { readFileSync } from 'node:fs';
import { lintCypherQuery } from '@neo4j-cypher/language-support';

const graph = {
  labels: ['Page', 'Site', 'Concept', 'Crawl', 'Memory', 'Journal', 'Trap', 'OnTopic', 'Seed', 'Waiting', 'Listing', 'Copy'],
  relationshipTypes: ['LINKS_TO', 'MENTIONS', 'DISCOVERED_FROM', 'COPY_OF', 'NARROWER', 'ON_SITE', 'SEED'],
};

function* texts(file) {
  const whole = readFileSync(file, 'utf8');
  if (file.endsWith('.cypher')) {
    yield [0, whole];
    return;
  }
  for (const block of whole.matchAll(/^```cypher\n(.*?)^```/gms)) {
    yield [whole.slice(0, block.index).split('\n').length, block[1]];
  }
}

function lint(file) {
  let found = 0;
  for (const [line, text] of texts(file)) {
    const named = [...text.matchAll(/\$(\w+)/g)].map((match) => [match[1], null]);
    const schema = { ...graph, parameters: Object.fromEntries(named) };
    for (const { message, offsets } of lintCypherQuery(text, schema).diagnostics) {
      const at = line + text.slice(0, offsets.start).split('\n').length;
      console.log(`${file}:${at}: ${message}`);
      found += 1;
    }
  }
  return found;
}

const files = process.argv.slice(2);
const found = files.map(lint).reduce((sum, count) => sum + count, 0);
console.log(`${files.length} files, ${found} findings`);
process.exitCode = found ? 1 : 0;
