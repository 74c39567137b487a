import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { loadCommand } from '../../src/commands/command-line.ts'
import { examplesOf, inlineCodeOf } from '../support/guide.ts'
import { type McpPeer, startMcpPeer } from '../support/mcp-server.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { type Peer, startPeer } from '../support/peer.ts'
import { type PlatformPeer, startPlatformPeer } from '../support/platform-peer.ts'
import { openReader, type Reader } from '../support/run-examples.ts'

/** Examples that are not run here, by their page and their first line: which test runs them, or why none can. */
const notHere: Record<string, Record<string, string>> = {
  'docs/api.md': {
    '{ "error": { "message": "…", "type": "…", "param": null, "code": "…" }, "request_id": "req_…" }':
      'assertError holds every error in the tests of the API to it',
  },
  'README.md': {
    'npm ci && npm test': 'it is the run of this test',
    'docker compose up --detach --wait': 'compose.test.ts checks the file; it needs Docker',
    'npm run -s parley -- demo': 'demo.test.ts, where it is made once',
    '<script src="http://127.0.0.1:8080/widget.js" data-key="parley_widget_…" async></script>':
      'the browser tests of the widget have pages with this line',
    'npm install openai': 'no test asks a package registry; the package is here',
  },
  'docs/getting-started.md': {
    'npm run -s parley -- demo': 'demo.test.ts, where it is made once',
    'npm run -s parley -- demo --remove': 'demo.test.ts',
  },
  'docs/channels/README.md': { 'POST /api/v1/conversations': 'writing-first.test.ts' },
  'docs/inbox.md': {
    '{ "name": "Sales", "operators": [1, 4], "agents": [] }': 'groups.test.ts',
    'PATCH /api/v1/groups/3': 'groups.test.ts',
    'POST /api/v1/inbox/bulk/{id}/undo': 'inbox-bulk-undo.test.ts',
  },
  'docs/models.md': { '- role: system': 'models.test.ts' },
  'docs/operations.md': {
    'export PARLEY_MASTER_KEY=$(cat data/master.key)': 'copy.test.ts',
    'parley copy --from settings --to sqlite:data': 'copy.test.ts',
    'parley copy --from sqlite:data --to settings --follow': 'faults/copy-follow.test.ts',
    'export PARLEY_MASTER_KEY=$(docker compose exec -T parley cat /data/master.key)': 'it needs Docker',
    'chmod 640 parley.backup parley.key': 'it needs Docker',
    'scrape_configs:': 'deploy/monitoring.test.ts, where there is a promtool',
    'docker compose up --detach --wait': 'compose.test.ts checks the file; it needs Docker',
    'docker compose exec parley parley doctor': 'it needs Docker',
    'docker build --tag parley .': 'image.test.ts, where there is Podman',
    'mkdir -m 700 secrets': 'compose.test.ts',
    'export DOMAIN=chat.example.com': 'it needs Docker and a name of its own',
    'docker compose --file compose.cluster.yaml exec parley-1 parley doctor': 'it needs Docker',
    'kubectl create namespace parley': 'it needs a cluster',
    '# values.yaml': 'chart.test.ts, where there is Helm',
    'helm upgrade --install parley deploy/kubernetes --namespace parley --values values.yaml --wait':
      'it needs a cluster; chart.test.ts renders what it would install',
    'npm ci && npm pack': 'it changes the machine; systemd.test.ts checks the unit',
    'cd /etc/parley && sudo -u parley PATH=/opt/parley/bin:$PATH parley doctor':
      'it needs an installation on the machine',
    'DOMAIN=chat.example.com UPSTREAMS=127.0.0.1:8080 caddy run --config deploy/caddy/Caddyfile':
      'proxies.test.ts, where there is Caddy',
    'PARLEY_PUBLIC_URL=https://chat.example.com': 'proxies.test.ts has both settings',
    'docker compose exec parley parley backup /data/parley.backup --with-key /data/parley.key':
      'it needs Docker',
    'docker compose --file compose.cluster.yaml exec -T postgres \\': 'it needs Docker',
    "create role parley login password 'a long password';": 'row-security.test.ts',
    "create role parley_service login password 'a long password';": 'row-security.test.ts',
    'docker compose build': 'it needs Docker',
    'docker compose --file compose.cluster.yaml build': 'it needs Docker',
  },
  'docs/redaction-library.md': {
    "import { createRedactor, redact } from 'parley/redaction'": 'redaction-library.test.ts',
    'Write to [EMAIL_ADDRESS]': 'redaction-library.test.ts',
  },
  'docs/widget.md': {
    '<script src="https://chat.example.com/widget.js" data-key="parley_widget_…" data-color="#0f766e" async></script>':
      'the tests of test/browser load it in such a page',
    "import { useEffect } from 'react'": 'it needs a page of React',
    "add_action('wp_footer', function () {": 'it needs a WordPress',
    "import { createHmac } from 'node:crypto'": 'widget-snippets.test.ts',
    'import hashlib': 'widget-snippets.test.ts',
    '<?php': 'widget-snippets.test.ts, where there is a PHP',
    "require 'openssl'": 'widget-snippets.test.ts, where there is a Ruby',
    "(window.Parley ||= []).push(['identify', { id: 'user-42', name: 'Ada Lovelace', hash: 'hash from your server' }])":
      'widget-identity.test.ts identifies in this way',
    'parley-chat::part(launcher) {': 'a rule for a style sheet',
    "Content-Security-Policy: default-src 'none'; script-src https://chat.example.com; connect-src https://chat.example.com":
      'every page of the tests in test/browser is served with it',
  },
  'docs/testing.md': {
    '{ "messages": [{ "role": "user", "content": "Where is order 104233?" }],':
      'runs.test.ts runs such a case',
    '{ "customer": {': 'customer.test.ts runs such a case',
  },
  'docs/webhooks.md': {
    '{': 'webhook-snippets.test.ts',
    "import { Webhook } from 'standardwebhooks'": 'standard-webhooks.test.ts',
    "import { createHmac, timingSafeEqual } from 'node:crypto'": 'webhook-snippets.test.ts',
    'import hashlib, hmac, time': 'webhook-snippets.test.ts',
    'package webhook': 'webhook-snippets.test.ts, where there is a Go',
    '<?php': 'webhook-snippets.test.ts, where there is a PHP',
    "require 'openssl'": 'webhook-snippets.test.ts, where there is a Ruby',
  },
}

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md').sort()]
const examples = pages.flatMap((page) => examplesOf(page))
const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

/** Tools and input schemas of the MCP server of docs/tools.md. */
const numbered = { type: 'object', properties: { number: { type: 'string' } } }
const shopTools = [
  {
    name: 'find-order',
    description: 'Finds an order by its number.',
    inputSchema: { ...numbered, required: ['number'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'list-stores',
    description: 'Lists stores.',
    inputSchema: { type: 'object', properties: { near: { $ref: 'https://example.com/store' } } },
    annotations: { readOnlyHint: true },
  },
  { name: 'cancel-order', description: 'Cancels an order.', inputSchema: numbered },
]

describe('examples of the guides', () => {
  let model: ModelServer
  let platform: PlatformPeer
  let shop: Peer
  let mcpShop: McpPeer
  before(async () => {
    model = await startModelServer()
    platform = await startPlatformPeer()
    shop = await startPeer((response) => response.end('{"state":"sent"}'))
    mcpShop = await startMcpPeer(shopTools)
  })
  after(() => Promise.all([model.close(), platform.close(), shop.close(), mcpShop.close()]))

  it('every example that is listed as not run here stands in its page', () => {
    for (const [page, lines] of Object.entries(notHere)) {
      const there = examples.filter((example) => example.page === page).map(({ text }) => firstLine(text))
      assert.deepEqual(
        Object.keys(lines).filter((line) => !there.includes(line)),
        [],
        page,
      )
    }
  })

  it('a command within a sentence exists, and runs on the Node of Parley', async () => {
    const commands = pages.flatMap((page) => inlineCodeOf(page).map((code) => [page, code] as const))
    for (const [page, code] of commands) {
      const [, words] = /^(?:npm run -s parley --|parley) (.+)$/.exec(code) ?? []
      if (words && words !== 'COMMAND') assert.ok(await loadCommand(words.split(' ')), `${page}: ${code}`)
      const [, bench] = /bench\/([\w-]+\.ts)/.exec(code) ?? []
      if (!bench) continue
      assert.ok(existsSync(`bench/${bench}`), `${page}: ${code}`)
      assert.match(code, /(^|[A-Z]\S* )npx node bench/, page)
    }
  })

  it('the page on configuration has every command', async () => {
    const page = (await readFile('docs/configuration.md', 'utf8')).replaceAll('\\|', '|')
    const help = execFileSync(process.execPath, ['src/main.js', '--help'], { encoding: 'utf8' })
    const usages = [...help.matchAll(/^ {2}parley (.+?) {2}/gm)].map(([, usage = '']) => usage)
    assert.ok(usages.length > 15, help)
    assert.deepEqual(
      usages.filter((code) => !page.includes(`\`${code}\``)),
      [],
    )
  })

  const run = examples.filter(({ page, text }) => !notHere[page]?.[firstLine(text)])
  const readers = new Map<string, Promise<Reader>>()
  after(async () => {
    for (const reader of readers.values()) await (await reader)[Symbol.asyncDispose]()
  })
  /** Returns the reader of a chapter: chapters with the same settings share one, and begin with no answer. */
  async function readerOf(chapter: string): Promise<Reader> {
    const settings = settingsFor(chapter, model)
    const name = JSON.stringify(settings)
    const opened = readers.get(name) ?? openReader(settings)
    readers.set(name, opened)
    const reader = await opened
    reader.forget()
    return reader
  }

  for (const [chapter, here] of Map.groupBy(run, ({ page }) => page.replace(/^(docs\/channels\/).*/, '$1'))) {
    describe(chapter, () => {
      let reader: Reader
      before(async () => {
        reader = await readerOf(chapter)
      })
      for (const example of here)
        it(`${example.page}:${example.line} ${firstLine(example.text)}`, () =>
          reader.run(example, {
            'npm ci && ': '',
            'https://chat.example.com': platform.url,
            'https://shop.example.com': shop.url,
            'https://mcp.shop.example.com/mcp': mcpShop.url,
            '"settings": { "verify_token"': `"settings": { "api_base": "${platform.url}", "verify_token"`,
            '"settings": { "channel_secret"': `"settings": { "api_base": "${platform.url}", "channel_secret"`,
          }))
    })
  }
})

function settingsFor(chapter: string, model: ModelServer): Record<string, string> {
  if (chapter === 'docs/rules.md' || chapter === 'docs/people.md') return { PARLEY_MODEL_URL: model.url }
  if (chapter === 'docs/single-sign-on.md')
    return {
      PARLEY_OIDC_ISSUER: 'https://id.example.com',
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_CLIENT_SECRET: 'secret',
    }
  return {}
}
