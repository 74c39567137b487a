import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** Parses JSON, or has a fetched answer parse its own. */
const parses = /\bJSON\.parse\(|\bparseOrNull\(|\.json\(\)/g

/** Folders that parse what Parley itself has stored. */
const stored = [
  'actions',
  'agents',
  'audit',
  'channels',
  'demo',
  'desk',
  'events',
  'exports',
  'inbox',
  'knowledge',
  'learning',
  'macros',
  'mailboxes',
  'notifications',
  'privacy',
  'replies',
  'rules',
  'runs',
  'storage',
  'transcripts',
  'turns',
  'users',
  'widgets',
]

/** Sites in the other folders, and what they parse. */
const others: Record<string, string> = {
  'src/lib/outbound/read-peer-json.ts': "peers' answers and what models write",
  'src/lib/cursor.ts': 'a cursor of its own',
  'src/lib/parse-or-null.ts': 'what its callers here say',
  'src/analytics/recount.ts': 'rows',
  'src/analytics/support/counts.ts': 'rows',
  'src/analytics/support/figures.ts': 'rows',
  'src/analytics/support/read-support.ts': 'rows',
  'src/files/store.ts': 'rows',
  'src/groups/group.ts': 'rows',
  'src/http/read-json.ts': 'bodies of requests',
  'src/commands/doctor.ts': 'a key of its own',
  'src/config-files/dataset-section.ts': 'rows',
  'src/config-files/item.ts': 'what this process wrote itself',
  'src/config-files/sections.ts': 'rows',
  'src/copilot/translate.ts': 'rows',
  'src/commands/receipts.ts': 'a file that whoever runs the command gives',
  'src/commands/redact.ts': 'lines that whoever runs the command gives',
  'src/commands/webhooks.ts': 'what whoever runs the command gives',
  'src/evaluators/create-evaluators.ts': 'rows',
  'src/evaluators/schemas.ts': 'rows',
  'src/evaluators/update-evaluator.ts': 'rows',
  'src/model/without-sent.ts': 'what Parley has sent itself',
  'src/notices/causes.ts': 'rows',
  'src/notices/settings.ts': 'rows',
  'src/operators/oidc/flow.ts': 'a cookie that Parley has sealed',
  'src/operators/use-code.ts': 'rows',
  'src/platforms/email/listen.ts': 'rows',
  'src/platforms/email/read-file.ts': 'rows',
  'src/profiles/adopted.ts': 'rows',
  'src/receipts/erasures.ts': 'rows',
  'src/redaction/files-of-message.ts': 'rows',
  'src/redaction/redact-json.ts': 'texts of its own bounds',
  'src/redaction/redaction-tasks.ts': 'a request of its own',
  'src/redaction/text-kinds.ts': 'rows',
  'src/search/searched-texts.ts': 'rows',
  'src/tools/http/body-template.ts': 'a template in the settings',
  'src/tools/mcp/guarded-fetch.ts': 'a request of its own',
  'src/tools/mcp/keep-mcp-servers.ts': 'rows',
  'src/tools/mcp/mcp-server.ts': 'a copy of its own',
  'src/tools/present-tool.ts': 'rows',
  'src/tools/requirement.ts': 'rows',
  'src/tools/save-tool.ts': 'rows',
  'src/tools/secret-place.ts': 'rows',
  'src/tools/tools-of-agent.ts': 'rows',
  'src/tools/try-tool.ts': 'rows',
}

const sites = globSync('src/**/*.ts')
  .map((file) => ({ file, code: codeOf(readFileSync(file, 'utf8')) }))
  .filter(({ code }) => code.match(parses))

it('JSON of peers is parsed by readPeerJson alone: other files that parse are known', () => {
  const outside = sites.map(({ file }) => file).filter((file) => !stored.includes(file.split('/')[1] ?? ''))
  assert.deepEqual(outside.sort(), Object.keys(others).sort())
})

it('no file that gets answers of peers parses anything in a way of its own', () => {
  const asks = /\bhttp\.(?:request|stream)\(|\boutbound\.of\([^)]*\)\.request\(|\bbody\.toString\(|\bfetch\(/
  const both = sites.filter(({ code }) => asks.test(code)).map(({ file }) => file)
  assert.deepEqual(both, ['src/tools/mcp/guarded-fetch.ts'])
})

function codeOf(source: string): string {
  return source.replaceAll(/\/\*\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
}
