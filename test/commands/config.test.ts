import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { parse } from 'yaml'
import type { CommandInput } from '../../src/commands/command.ts'
import { configApply, configExport } from '../../src/commands/config.ts'
import type { Applied } from '../../src/config-files/apply-config.ts'
import { makeDemo } from '../../src/demo/make-demo.ts'
import { removeDemo } from '../../src/demo/remove-demo.ts'
import { valueAt } from '../../src/lib/value-at.ts'
import { startApp, type TestAgent, type TestApp } from '../support/app.ts'
import { engines } from '../support/databases.ts'
import { startPeer } from '../support/peer.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
after(() => rm(folder, { recursive: true }))
await symlink('/etc/hostname', join(folder, 'link'))

type Printed = Applied & {
  dry_run: boolean
  lines: string[]
  agent_id: number
  left_out: { line: number; path: string }[]
}

async function run(
  app: TestApp,
  command: typeof configApply,
  file: string,
  options: CommandInput['options'] = {},
): Promise<Printed> {
  const printed: Printed[] = []
  const code = await command.run({
    config: app.app.foundation.config,
    positionals: [file],
    options,
    print: (answer, lines) => printed.push({ ...(answer as Printed), lines: [lines].flat() as string[] }),
  })
  assert.equal(code, 0)
  assert.ok(printed[0])
  return printed[0]
}

async function exported(app: TestApp, { agentId }: { agentId: number }): Promise<string> {
  const file = join(folder, `${agentId}-${Math.random()}.yaml`)
  await run(app, configExport, file, { agent: String(agentId) })
  return readFile(file, 'utf8')
}

let count = 0
async function written(text: string): Promise<string> {
  const file = join(folder, `given-${count++}.yaml`)
  await writeFile(file, text)
  return file
}

async function applied(
  app: TestApp,
  agent: { agentId: number },
  text: string,
  options: CommandInput['options'] = {},
): Promise<Printed> {
  return run(app, configApply, await written(text), { agent: String(agent.agentId), ...options })
}

/** Makes an agent that has something of everything, by the API. */
async function furnish({ call }: TestAgent): Promise<void> {
  const made = async (path: string, body: object) => {
    const { status, body: answer, text } = await call('POST', path, body)
    assert.equal(status, 201, text)
    return answer.data.id as number
  }
  const { status } = await call('PATCH', '/agent', {
    name: 'Shop',
    instructions: 'Be kind.\nBe brief.\n',
    time_zone: 'Europe/Berlin',
    model: {
      url: 'http://127.0.0.1:9/v1',
      name: 'small',
      api_key: 'sk-model-secret',
      fallbacks: [{ url: 'http://127.0.0.1:10/v1', api_key: 'sk-fallback-secret' }],
    },
    texts: { de: { greeting: 'Hallo!' } },
  })
  assert.equal(status, 200)
  const angry = await made('/evaluators', {
    name: 'Angry: very',
    kind: 'keywords',
    settings: { words: ['angry'] },
  })
  const hook = { url: 'http://127.0.0.1:9/judge', secret: 'evaluator-secret' }
  await made('/evaluators', { name: 'Judge', kind: 'webhook', settings: hook })
  const channel = await made('/channels', {
    kind: 'messenger-three',
    name: 'Line',
    settings: { channel_secret: 'channel-secret', access_token: 'channel-token', destination: 'U1' },
  })
  await made('/channels', { kind: 'helpdesk', active: false, settings: {} })
  await made('/guardrails', { name: 'Calm', on: 'prompt', evaluator_id: angry, action: 'flag' })
  await made('/ctas', {
    name: 'Call us',
    content: 'Call us!',
    condition: {
      all: [
        { field: `evaluator.${angry}.score`, op: 'gte', value: 0.5 },
        { not: { field: 'channel', op: 'in', value: [channel] } },
      ],
    },
  })
  const hookAction = {
    type: 'call_webhook',
    url: 'http://127.0.0.1:9/hook',
    secret: 'whsec_cnVsZS1zZWNyZXQtcnVsZS1zZWNyZXQ=',
  }
  await made('/automations', { name: 'Tell', actions: [{ type: 'tag', tag: 'told' }, hookAction] })
  await made('/tools', {
    kind: 'http',
    name: 'orders',
    description: 'Reads an order.',
    url: 'http://127.0.0.1:9/orders/{number}',
    parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
    headers: { authorization: 'Bearer tool-secret' },
  })
  await made('/tools', { kind: 'mcp', name: 'mcp', url: 'http://127.0.0.1:9/mcp', allow: ['one'] })
  await made('/replies', { shortcut: 'refund', content: 'You get it back.', tags: ['money'] })
  await made('/macros', {
    name: 'Refund',
    actions: [{ type: 'tag', tag: 'refund' }, hookAction],
    shared: true,
  })
  await made('/views', { name: 'Line', query: { view: 'open', channel_id: channel }, shared: true })
  await made('/widgets', {
    name: 'Site',
    allowed_origins: ['https://shop.example.com'],
    look: { color: '#112233' },
    texts: { en: { greeting: 'Hi!' } },
  })
  await made('/notifications', {
    name: 'Crm',
    url: 'http://127.0.0.1:9/crm',
    events: ['response_end'],
    secret: 'whsec_bm90aWZpY2F0aW9uLXNlY3JldC1vZi0yNA==',
  })
  const dataset = await made('/datasets', { name: 'Basics' })
  await made(`/datasets/${dataset}/cases`, { messages: [{ role: 'user', content: 'Hello' }] })
  await made(`/datasets/${dataset}/cases`, {
    messages: [{ role: 'user', content: 'Where is my order?' }],
    tags: { language: 'en' },
    expectations: [
      { kind: 'evaluator', value: angry },
      { kind: 'contains', value: 'order' },
    ],
  })
  await made(`/datasets/${dataset}/cases`, { customer: { goal: 'Return it', says: ['Hello', 'Bye'] } })
}

const SECRETS = [
  'sk-model-secret',
  'sk-fallback-secret',
  'evaluator-secret',
  'whsec_cnVsZS1zZWNyZXQtcnVsZS1zZWNyZXQ=',
  'Bearer tool-secret',
  'whsec_cnVsZS1zZWNyZXQtcnVsZS1zZWNyZXQ=',
  'channel-secret',
  'channel-token',
  'whsec_bm90aWZpY2F0aW9uLXNlY3JldC1vZi0yNA==',
]

/** Names variables for all secrets of an export, in their order, and sets them. */
function withVariables(text: string): string {
  let at = 0
  return text.replaceAll('{ $stored: true }', () => {
    const name = `CONFIG_TEST_${at}`
    process.env[name] = SECRETS[at++]
    return `{ $env: ${name} }`
  })
}

for (const [index, engine] of engines.entries())
  describe(`config on ${engine}`, () => {
    let app: TestApp
    let other: TestApp
    let shop: TestAgent
    let text: string
    before(async () => {
      app = await startApp(engine)
      other = await startApp(engines[(index + 1) % engines.length] ?? engine)
      shop = await app.addAgent()
      await furnish(shop)
      text = await exported(app, shop)
    })
    after(() => Promise.all([app.close(), other.close()]))

    /** Applies a changed export to a new agent that is as the export says. */
    async function copy(changed: (text: string) => string = (same) => same) {
      const team = { agent: undefined, team: String(shop.teamId) }
      const name = `Copy ${count}`
      const own = changed(withVariables(text).replace('name: Shop', `name: ${name}`))
      const made = await applied(app, shop, own, team)
      return { agent: { agentId: made.agent_id }, own, made, name }
    }

    it('export writes what is set, with names in place of ids and without secrets', () => {
      const file = parse(text)
      assert.deepEqual(file.agent.texts, { de: { greeting: 'Hallo!' } })
      assert.equal(file.guardrails[0].evaluator, 'Angry: very')
      assert.equal(file.ctas[0].condition.all[0].field, 'evaluator.Angry: very.score')
      assert.deepEqual(file.ctas[0].condition.all[1].not.value, ['messenger-three: Line'])
      assert.equal(file.datasets[0].cases[1].expectations[0].value, 'Angry: very')
      assert.deepEqual(file.channels[1], { kind: 'helpdesk', active: false })
      assert.deepEqual(
        SECRETS.filter((secret) => text.includes(secret)),
        [],
      )
      assert.equal(text.split('{ $stored: true }').length - 1, SECRETS.length)
      assert.ok(text.includes('instructions: |\n    Be kind.\n    Be brief.\n'), 'a line is a line')
      assert.ok(!/\b(id|version|created_at|greeting: Hello)\b/.test(text))
    })

    it('what was exported is no change where it came from', async () => {
      const acts = async () => (await shop.get('/audit')).body.total
      const before = await acts()
      const { changes, lines } = await applied(app, shop, text)
      assert.deepEqual(changes, [])
      assert.deepEqual(lines, [`Nothing to change: agent ${shop.agentId} is as the file says`])
      assert.equal(await acts(), before)
    })

    it('another installation on another engine gets all of it, secrets included, and twice as once', async () => {
      const moved = withVariables(text)
      const team = { agent: undefined, team: String(other.agent.teamId) }
      const made = await applied(other, other.agent, moved, team)
      assert.deepEqual(
        made.changes.filter(({ action }) => action !== 'added').map(({ kind }) => kind),
        ['agent'],
      )
      const agent = { agentId: made.agent_id }
      assert.equal(await exported(other, agent), text)
      const again = await applied(other, other.agent, moved, team)
      assert.deepEqual([again.changes, again.agent_id], [[], agent.agentId])
      const { agentId, teamId } = { ...agent, teamId: other.agent.teamId }
      const caller = await other.issue({ agentId, teamId, right: 'own' })
      const { data: tools } = (await caller.get('/tools')).body
      assert.deepEqual(tools[1].headers.authorization, { set: true, last_four: 'cret' })
      const { data: ctas } = (await caller.get('/ctas')).body
      const { data: evaluators } = (await caller.get('/evaluators')).body
      const angry = evaluators.find(({ name }: { name: string }) => name === 'Angry: very')
      assert.equal(ctas[0].condition.all[0].field, `evaluator.${angry.id}.score`)
      const { data: audit } = (await caller.get('/audit?per_page=100')).body
      assert.ok(audit.some(({ action }: { action: string }) => action === 'tool.created'))
    })

    it('another installation gets all but the secrets with --without-secrets, which says which are missing', async () => {
      const team = { agent: undefined, team: String(other.agent.teamId), 'without-secrets': true }
      const own = text.replace('name: Shop', 'name: Without')
      const bare = own.split('\n').filter((line) => !line.includes('$stored'))
      const isBare = async (agentId: number) =>
        assert.deepEqual(
          (await exported(other, { agentId })).split('\n').filter((line) => !line.includes('$stored')),
          // A tool whose only header is a secret has none.
          bare.filter((line, at) => !line.endsWith(' headers:') || bare[at + 1]?.startsWith('      ')),
        )
      const made = await applied(other, other.agent, own, team)
      await isBare(made.agent_id)
      // A notification has a new secret instead, which is shown.
      const [wanted, shown] = [
        own.split('{ $stored: true }').length - 2,
        made.secrets.map(({ kind }) => kind),
      ]
      assert.deepEqual([made.left_out.length, shown], [wanted, ['widget', 'notification']])
      for (const { line, path } of made.left_out)
        assert.match(own.split('\n')[line - 1] ?? '', new RegExp(`${path.split('.').at(-1)}: .*stored`))
      const again = await applied(other, other.agent, own, team)
      assert.deepEqual([again.changes, again.left_out], [[], made.left_out])
    })

    it('the export of the demo, applied elsewhere, is exported again as it was', async () => {
      const { agentId } = await makeDemo(app.app.foundation, { team: shop.teamId, days: 1 })
      const demo = await exported(app, { agentId })
      const there = await other.addAgent()
      await applied(other, there, demo, { 'without-secrets': true })
      assert.equal(await exported(other, there), demo)
      await removeDemo(app.app.foundation)
    })

    it('a dry run shows each change, and makes none', async () => {
      const changed = text
        .replace('Reads an order.', 'Reads one order.')
        .replace('  time_zone: Europe/Berlin\n', '')
        .replace('replies:\n', 'replies:\n  - shortcut: new\n    content: A new one.\n')
      const { changes, lines, dry_run } = await applied(app, shop, changed, { 'dry-run': true })
      assert.ok(dry_run)
      assert.deepEqual(
        changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`),
        ['changed agent Shop', 'changed tool orders', 'added reply new'],
      )
      for (const line of [
        '~ tool orders',
        '  - description: Reads an order.',
        '  + description: Reads one order.',
        '  - time_zone: Europe/Berlin',
        '+ reply new',
        '  + shortcut: new',
        `3 changes to make for agent ${shop.agentId}; nothing is changed yet`,
      ])
        assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`)
      assert.equal(await exported(app, shop), text)
    })

    it('a change in the file is made; a field that goes from it has its default', async () => {
      const { agent, own } = await copy()
      const changed = own
        .replace('  time_zone: Europe/Berlin\n', '')
        .replace('color: "#112233"', 'color: "#445566"')
        .replace('    on: prompt\n', '    on: response\n')
        .replace('content: Where is my order?', 'content: Where is it?')
        .replace('    allow:\n      - one\n', '')
        .replace(
          '            - Bye\n',
          '            - Bye\n      - messages: [{ role: user, content: Hi }]\n',
        )
      const { changes } = await applied(app, agent, changed)
      assert.deepEqual(
        changes.map(({ action, kind }) => `${action} ${kind}`),
        ['changed agent', 'changed guardrail', 'changed tool', 'changed widget', 'changed dataset'],
      )
      assert.deepEqual(
        parse(await exported(app, agent)),
        parse(changed.replace(/\{ \$env: \w+ \}/g, '{ $stored: true }')),
      )
      assert.deepEqual((await applied(app, agent, changed)).changes, [])
    })

    it('a secret that changes is stored, and shown only as a new one', async () => {
      const { agent, own } = await copy()
      process.env.CONFIG_TEST_NEW = 'Bearer another-secret'
      const changed = own.replace(
        /authorization: \{ \$env: \w+ \}/,
        'authorization: { $env: CONFIG_TEST_NEW }',
      )
      const { changes, lines } = await applied(app, agent, changed)
      assert.deepEqual(
        changes.map(({ name }) => name),
        ['orders'],
      )
      assert.ok(!lines.join('\n').includes('another-secret') && lines.join('\n').includes('a new secret'))
      assert.deepEqual((await applied(app, agent, changed)).changes, [])
      const absent = changed.replace('    headers:\n      authorization: { $env: CONFIG_TEST_NEW }\n', '')
      assert.deepEqual((await applied(app, agent, absent)).changes, [], 'what the file does not have stays')
    })

    it('secrets that are given go along to another address', async () => {
      const { agent, own } = await copy()
      const changed = own.replaceAll('http://127.0.0.1:9/', 'http://127.0.0.1:19/')
      const { changes, secrets } = await applied(app, agent, changed)
      assert.deepEqual(
        changes.map(({ kind }) => kind),
        ['agent', 'evaluator', 'automation', 'tool', 'tool', 'macro', 'notification'],
      )
      assert.deepEqual(secrets, [])
      assert.deepEqual((await applied(app, agent, changed)).changes, [])
      const stays = changed.replace(/\{ \$env: \w+ \}/g, '{ $stored: true }')
      assert.deepEqual((await applied(app, agent, stays)).changes, [], 'all of them are there')
    })

    it('null takes the key of a server away', async () => {
      const { agent, own } = await copy()
      const changed = own
        .replace('{ $env: CONFIG_TEST_0 }', 'null')
        .replace('{ $env: CONFIG_TEST_1 }', 'null')
      assert.equal((await applied(app, agent, changed)).changes.length, 1)
      assert.deepEqual((await applied(app, agent, changed)).changes, [])
      const { model } = parse(await exported(app, agent)).agent
      assert.deepEqual([model.api_key, model.fallbacks[0].api_key], [undefined, undefined])
    })

    it('an agent whose rules, views and cases name what was removed can be copied', async () => {
      const { agent, name } = await copy()
      const caller = await app.issue({ agentId: agent.agentId, teamId: shop.teamId, right: 'own' })
      const named = async (path: string, name: string) =>
        (await caller.get(path)).body.data.find((one: { name: string }) => one.name === name)
      const cta = await named('/ctas', 'Call us')
      const { id: angry } = await named('/evaluators', 'Angry: very')
      const { id: line } = await named('/channels', 'Line')
      const { id: calm } = await named('/guardrails', 'Calm')
      const [, ofChannel] = cta.condition.all
      assert.equal((await caller.patch(`/ctas/${cta.id}`, { condition: ofChannel })).status, 200)
      for (const path of [`/guardrails/${calm}`, `/evaluators/${angry}`, `/channels/${line}`])
        assert.equal((await caller.call('DELETE', path)).status, 204, path)

      const text = await exported(app, agent)
      const isLeft = (text: string) => {
        const file = parse(text)
        assert.deepEqual(file.ctas[0].condition.not.value, ['removed'])
        assert.equal(file.views[0].query.channel_id, 'removed')
        assert.deepEqual(file.datasets[0].cases[1].expectations, [{ kind: 'contains', value: 'order' }])
      }
      isLeft(text)
      assert.deepEqual((await applied(app, agent, text)).changes, [])

      const team = { agent: undefined, team: String(other.agent.teamId), 'without-secrets': true }
      const made = await applied(other, other.agent, text.replace(`name: ${name}`, 'name: Moved'), team)
      isLeft(await exported(other, { agentId: made.agent_id }))
    })

    it('a secret can stand in a file beside it', async () => {
      await writeFile(join(folder, 'key'), 'sk-model-secret\n')
      const { agent, own } = await copy()
      const changed = own.replace('{ $env: CONFIG_TEST_0 }', '{ $file: key }')
      assert.deepEqual((await applied(app, agent, changed)).changes, [])
    })

    it('--secrets-from names the folder of the secrets, whose files may be links within it', async () => {
      const secrets = await mkdtemp(join(folder, 'mounted-'))
      await mkdir(join(secrets, '..data'))
      await writeFile(join(secrets, '..data', 'mounted'), 'sk-model-secret\n')
      await symlink(join('..data', 'mounted'), join(secrets, 'mounted'))
      const { agent, own } = await copy()
      for (const name of ['mounted', join(secrets, 'mounted')]) {
        const changed = own.replace('{ $env: CONFIG_TEST_0 }', `{ $file: ${name} }`)
        assert.deepEqual((await applied(app, agent, changed, { 'secrets-from': secrets })).changes, [])
      }
      await assert.rejects(
        applied(app, agent, own, { 'secrets-from': join(secrets, 'mounted') }),
        /^Error: --secrets-from must name a folder/,
      )
    })

    it('refuses secrets of Parley itself, from a file or a variable', async () => {
      const { dataDir } = app.app.foundation.config
      process.env.PARLEY_TEST_KEY_FILE = join(folder, 'own-key')
      await writeFile(process.env.PARLEY_TEST_KEY_FILE, 'own')
      await mkdir(dataDir, { recursive: true })
      await writeFile(join(dataDir, 'own-key'), 'own')
      for (const [reference, message, options] of [
        ['{ $env: PARLEY_MASTER_KEY }', /: the variable PARLEY_MASTER_KEY is a setting of Parley itself/, {}],
        ['{ $file: own-key }', /: the file own-key is one of Parley itself/, {}],
        ['{ $file: own-key }', /: the file own-key is one of Parley itself/, { 'secrets-from': dataDir }],
      ] as const)
        await assert.rejects(
          applied(app, shop, text.replace('{ $stored: true }', reference), options),
          message,
        )
      delete process.env.PARLEY_TEST_KEY_FILE
    })

    it('what the file lacks stays; --prune removes it, in the sections that the file has', async () => {
      const { agent, own } = await copy()
      const fewer = own
        .slice(0, own.indexOf('tools:'))
        .replace(/ {2}- name: Judge[\s\S]*?(?=guardrails)/, '')
        .replace(/guardrails:[\s\S]*?(?=ctas)/, 'guardrails: []\n')
      assert.deepEqual((await applied(app, agent, fewer)).changes, [])
      const { changes } = await applied(app, agent, fewer, { prune: true })
      assert.deepEqual(
        changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`),
        ['removed guardrail Calm', 'removed evaluator Judge'],
      )
      const left = parse(await exported(app, agent))
      assert.equal(left.tools.length, 2, 'a section that the file does not have is left alone')
      assert.equal(left.guardrails, undefined)
    })

    it('--prune says what cannot be removed, and where the file says that it is to go', async () => {
      const { agent } = await copy()
      await assert.rejects(
        applied(app, agent, 'parley: 1\nreplies: []\nevaluators: []\n', { prune: true }),
        /yaml:3: evaluators: "Angry: very" cannot be removed: A guardrail, CTA or automation uses this evaluator/,
      )
    })

    it('--prune removes everything from a file with nothing but empty sections', async () => {
      const { agent, own } = await copy()
      const { teamId } = shop
      const caller = await app.issue({ agentId: agent.agentId, teamId, right: 'own' })
      const [dataset] = (await caller.get('/datasets')).body.data
      assert.equal((await caller.post('/runs', { dataset_id: dataset.id })).status, 201)
      const names = Object.keys(parse(own)).filter((name) => !['parley', 'agent'].includes(name))
      const empty = ['parley: 1', ...names.map((name) => `${name}: []`)].join('\n')
      const { changes } = await applied(app, agent, empty, { prune: true })
      assert.ok(changes.length > 10 && changes.every(({ action }) => action === 'removed'))
      assert.deepEqual(Object.keys(parse(await exported(app, agent))), ['parley', 'agent'])
    })

    it('the secret of a new notification is told once', async () => {
      const { made } = await copy((own) => own.replace('    secret: { $env: CONFIG_TEST_8 }\n', ''))
      const [widget, notification] = [...made.secrets].sort((one, two) => two.kind.localeCompare(one.kind))
      assert.match(widget?.secret ?? '', /^parley_identity_/)
      assert.deepEqual([notification?.kind, notification?.name], ['notification', 'Crm'])
      assert.match(notification?.secret ?? '', /^whsec_/)
    })

    it('several of one name are told apart by their order', async () => {
      const { agent, own } = await copy((own) =>
        own
          .replace(
            'guardrails:\n',
            '  - { name: Same, kind: keywords, settings: { words: [one] } }\n  - { name: Same, kind: keywords, settings: { words: [two] } }\nguardrails:\n',
          )
          .replace('    evaluator: "Angry: very"', '    evaluator: Same#2'),
      )
      const file = parse(await exported(app, agent))
      assert.equal(file.guardrails[0].evaluator, 'Same#2')
      assert.deepEqual(file.evaluators.at(-1).settings.words, ['two'])
      assert.deepEqual((await applied(app, agent, own)).changes, [])
    })

    it('has the settings of a mailbox without its passwords and the key of its threads, and applies twice as once', async () => {
      const agent = await app.addAgent()
      const file = `parley: 1
channels:
  - kind: email
    name: Mail
    settings:
      address: help@example.com
      allow: [example.org]
      imap: { host: mail.example.com, user: help, password: "a password of IMAP" }
`
      const { changes } = await applied(app, agent, file)
      assert.equal(changes.length, 1)
      assert.doesNotMatch(JSON.stringify(changes), /a password of IMAP|thread_key/)
      assert.deepEqual((await applied(app, agent, file)).changes, [])
      const stays = file.replace('"a password of IMAP"', '{ $stored: true }')
      assert.deepEqual((await applied(app, agent, stays)).changes, [])
    })

    it('names the mailbox by which a widget sends unseen answers', async () => {
      const agent = await app.addAgent()
      const file = `parley: 1
channels:
  - { kind: email, name: Mail, settings: { address: help@example.com } }
widgets:
  - { name: Site, continue_by: "email: Mail", continue_after: 7 }
`
      const { changes } = await applied(app, agent, file)
      assert.deepEqual(
        changes.map(({ action, kind }) => `${action} ${kind}`),
        ['added channel', 'added widget'],
      )
      assert.deepEqual((await applied(app, agent, file)).changes, [])
      const [widget] = parse(await exported(app, agent)).widgets
      assert.deepEqual([widget.continue_by, widget.continue_after], ['email: Mail', 7])
      await assert.rejects(
        applied(app, agent, file.replace('email: Mail', 'email: Nobody')),
        /yaml:\d+: widgets\.0\.continue_by: there is no channel "email: Nobody"/,
      )
    })

    it('--prune removes a mailbox once no widget goes on by it', async () => {
      const file = `parley: 1
channels:
  - { kind: email, name: Mail, settings: { address: help@example.com } }
widgets:
  - { name: Site, continue_by: "email: Mail" }
`
      const none = file.replace(/channels:\n.*\n/, 'channels: []\n')
      const change = async (to: string) => {
        const agent = await app.addAgent()
        await applied(app, agent, file)
        const { changes } = await applied(app, agent, to, { prune: true })
        assert.deepEqual((await applied(app, agent, to, { prune: true })).changes, [])
        return changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
      }
      assert.deepEqual(await change(file.replaceAll('Mail', 'Post')), [
        'added channel email: Post',
        'changed widget Site',
        'removed channel email: Mail',
      ])
      assert.deepEqual(await change(none.replace(', continue_by: "email: Mail"', '')), [
        'changed widget Site',
        'removed channel email: Mail',
      ])
      assert.deepEqual(await change(none.replace(/widgets:\n.*\n/, 'widgets: []\n')), [
        'removed widget Site',
        'removed channel email: Mail',
      ])
      await assert.rejects(change(none), /widgets\.0\.continue_by: there is no channel "email: Mail"/)
    })

    it('asks the platforms of new channels, also in a dry run, while others can write', async () => {
      const agent = await app.addAgent()
      const written: number[] = []
      await using platform = await startPeer(async (response) => {
        const { status } = await agent.post('/replies', {
          shortcut: `r${platform.requests.length}`,
          content: 'Hi',
        })
        written.push(status)
        response.end('{"userId":"U1"}')
      })
      const channel = (name: string) =>
        `  - { kind: messenger-three, name: ${name}, settings: { access_token: token, api_base: "${platform.url}" } }\n`
      const own = `parley: 1\nchannels:\n${channel('One')}${channel('Two')}`
      for (const options of [{ 'dry-run': true }, {}]) {
        const { changes } = await applied(app, agent, own, options)
        assert.deepEqual(
          changes.map(({ after }) => valueAt(after, ['settings', 'destination'])),
          ['U1', 'U1'],
        )
      }
      assert.deepEqual((await applied(app, agent, own)).changes, [])
      assert.deepEqual(written, [201, 201, 201, 201], 'those that are stored are not asked again')
    })

    for (const [name, change, message] of [
      ['a field that nobody knows', (text) => `${text}toools: []\n`, /:\d+: toools: is not known here/],
      ['another version of the form', (text) => text.replace('parley: 1', 'parley: 2'), /:1: parley: /],
      ['YAML that is none', (text) => text.replace('parley: 1', 'parley: [1'), /yaml:\d+: /],
      [
        'an unknown setting',
        (text) => text.replace('  instructions:', '  instrutions:'),
        /:LINE: agent\.instrutions: is not known here/,
      ],
      [
        'an unknown field of a tool',
        (text) => text.replace('    description: Reads', '    descripton: Reads'),
        /:LINE: tools\.0\.descripton: is not known here/,
      ],
      [
        'a value that is not valid',
        (text) => text.replace('on: prompt', 'on: both'),
        /:LINE: guardrails\.0\.on: must be one of/,
      ],
      [
        'an evaluator that is not there',
        (text) => text.replace('    evaluator: "Angry: very"', '    evaluator: Nobody'),
        /:LINE: guardrails\.0\.evaluator: there is no evaluator "Nobody"/,
      ],
      [
        'an evaluator that is not there, in a condition',
        (text) => text.replace('evaluator.Angry: very.score', 'evaluator.Nobody.score'),
        /:LINE: ctas\.0\.condition\.all\.0\.field: there is no evaluator "Nobody"/,
      ],
      [
        'a channel that is not there',
        (text) => text.replace('- "messenger-three: Line"', '- helpdesk#2'),
        /: ctas\.0\.condition\.all\.1\.not\.value: there is no channel "helpdesk#2"/,
      ],
      [
        'an evaluator by its id',
        (text) => text.replace('    evaluator: "Angry: very"', '    evaluator_id: 1'),
        /:LINE: guardrails\.0\.evaluator_id: is not known here/,
      ],
      [
        'a variable that is not set',
        (text) => text.replace('{ $stored: true }', '{ $env: CONFIG_TEST_UNSET }'),
        /:LINE: agent\.model\.api_key: the variable CONFIG_TEST_UNSET is not set/,
      ],
      [
        'a file that is not there',
        (text) => text.replace('{ $stored: true }', '{ $file: none }'),
        /:LINE: agent\.model\.api_key: the file none cannot be read \(ENOENT\)/,
      ],
      [
        'a file that is not below its folder',
        (text) => text.replace('{ $stored: true }', '{ $file: /etc/hostname }'),
        /:LINE: agent\.model\.api_key: the file \/etc\/hostname is not below /,
      ],
      [
        'a link to a file that is not below its folder',
        (text) => text.replace('{ $stored: true }', '{ $file: link }'),
        /:LINE: agent\.model\.api_key: the file link is not below /,
      ],
      [
        'a variable in the place of something that is printed',
        (text) => text.replace(/instructions: \|\n.*\n.*\n/, 'instructions: { $env: HOME }\n'),
        /:LINE: agent\.instructions: \$env may stand only in the place of a secret/,
      ],
      [
        'a file in the place of an address',
        (text) => text.replace('url: http://127.0.0.1:9/changed', 'url: { $file: key }'),
        /:LINE: notifications\.0\.url: \$file may stand only in the place of a secret/,
      ],
      [
        'a variable in the place of an object',
        (text) => text.replace(/replies:\n[\s\S]*?(?=widgets)/, 'replies: [{ $env: HOME }]\n'),
        /:LINE: replies\.0: \$env may stand only in the place of a secret/,
      ],
      [
        'a secret that is to stay for another address',
        (text) => text.replace('http://127.0.0.1:9/orders', 'http://127.0.0.1:11/orders'),
        /: tools\.0\.headers\.authorization: no secret is stored here for this address/,
      ],
      [
        'another kind under the same name',
        (text) =>
          text
            .replace('name: Judge\n    kind: webhook', 'name: Judge\n    kind: language')
            .replace(
              /settings:\n {6}url: http:\/\/127.0.0.1:9\/judge\n.*\n/,
              'settings: { languages: [en] }\n',
            ),
        /: evaluators\.1\.kind: cannot change/,
      ],
      [
        'an address that may not be called',
        (text) => text.replace('url: http://127.0.0.1:9/mcp', 'url: http://10.0.0.1/mcp'),
        /:LINE: tools\.1\.url: /,
      ],
      [
        'an address with a password',
        (text) => text.replace('127.0.0.1:9/changed', 'ada:hunter2@127.0.0.1:9/changed'),
        /:LINE: notifications\.0\.url: /,
      ],
      [
        'a case that is not valid',
        (text) => text.replace('goal: Return it', 'gaol: Return it'),
        /: datasets\.0\.cases\.2\.customer\.gaol: is not known here/,
      ],
    ] as [string, (text: string) => string, RegExp][])
      it(`refuses ${name}, says where, and applies nothing`, async () => {
        // The change before it is a good one.
        const good = text.replace('url: http://127.0.0.1:9/crm', 'url: http://127.0.0.1:9/changed')
        const wrong = change(good)
        assert.notEqual(wrong, good)
        const line = wrong.split('\n').findIndex((one, at) => one !== good.split('\n')[at]) + 1
        const expected = new RegExp(message.source.replace('LINE', String(line)))
        await assert.rejects(applied(app, shop, wrong), (error: Error) => {
          assert.match(error.message, expected)
          assert.match(error.message, /^\S+\.yaml:\d+: [^\n]+$/)
          return true
        })
        assert.equal(await exported(app, shop), text)
      })

    it('a secret that nothing has stored is missed in a new installation', async () => {
      await assert.rejects(
        applied(other, other.agent, text),
        /:\d+: agent\.model\.api_key: no secret is stored here for this address: give it as \$env or \$file/,
      )
    })

    it('refuses an agent that is not there, and one of several', async () => {
      await assert.rejects(applied(app, { agentId: 4711 }, text), /^Error: there is no agent 4711/)
      await app.addAgent()
      await assert.rejects(run(app, configExport, '-', {}), /say with --agent which agent/)
    })
  })
