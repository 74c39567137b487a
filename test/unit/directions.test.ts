import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'

interface Import {
  from: string
  /** A file of src, or the name of a package. */
  to: string
}

const ground = ['language', 'lib', 'errors.ts', 'config.ts', 'settings']
const machinery = [
  'http',
  'audit',
  'events',
  'mailboxes',
  'work',
  'storage',
  'model',
  'platforms',
  'redaction',
  'conditions',
]
/** Features that mailboxes know. */
const belowMailboxes = ['agents', 'receipts']
const folders = [...machinery, 'language', 'lib']

/**
 * The other features that each feature may import. They are in the order in which they may know each other:
 * a feature imports only those below it, and no feature imports notifications.
 */
const features: Record<string, string[]> = {
  console: [],
  exports: ['profiles', 'desk', 'files', 'transcripts', 'users'],
  imports: ['profiles', 'files', 'transcripts', 'users', 'knowledge', 'receipts'],
  notifications: ['transcripts', 'texts', 'agents'],
  notices: ['operators', 'desk', 'transcripts', 'users', 'targets', 'groups', 'agents'],
  widgets: [
    'live',
    'inbox',
    'channels',
    'turns',
    'profiles',
    'desk',
    'files',
    'transcripts',
    'users',
    'idempotency',
    'agents',
  ],
  live: ['inbox', 'transcripts', 'users', 'agents'],
  inbox: [
    'macros',
    'analytics',
    'operators',
    'search',
    'profiles',
    'desk',
    'transcripts',
    'users',
    'targets',
    'groups',
    'agents',
  ],
  macros: ['operators', 'replies', 'actions', 'desk', 'transcripts', 'users', 'groups', 'agents'],
  analytics: ['operators', 'transcripts', 'targets', 'groups', 'agents'],
  operators: ['groups', 'agents'],
  channels: ['turns', 'rules', 'privacy', 'desk', 'files', 'transcripts', 'users', 'idempotency', 'agents'],
  runs: [
    'turns',
    'rules',
    'evaluators',
    'tools',
    'usage',
    'privacy',
    'transcripts',
    'texts',
    'knowledge',
    'agents',
  ],
  copilot: ['turns', 'privacy', 'desk', 'transcripts', 'agents'],
  inactivity: ['turns', 'usage', 'privacy', 'desk', 'transcripts', 'agents'],
  turns: [
    'rules',
    'evaluators',
    'tools',
    'usage',
    'privacy',
    'files',
    'transcripts',
    'texts',
    'users',
    'idempotency',
    'knowledge',
    'agents',
  ],
  pause: ['transcripts', 'agents'],
  replies: ['transcripts', 'users', 'agents'],
  rules: ['evaluators', 'actions', 'usage', 'privacy', 'desk', 'transcripts', 'agents'],
  evaluators: ['agents'],
  tools: ['agents'],
  actions: ['desk', 'transcripts'],
  learning: ['usage', 'privacy', 'transcripts', 'texts', 'users', 'knowledge', 'agents'],
  usage: ['agents'],
  privacy: ['search', 'profiles', 'desk', 'files', 'transcripts', 'texts', 'users', 'agents', 'receipts'],
  search: ['profiles', 'desk', 'transcripts', 'texts', 'users'],
  profiles: ['desk', 'transcripts', 'users'],
  desk: ['files', 'transcripts', 'texts', 'targets', 'groups', 'idempotency', 'agents'],
  files: ['transcripts', 'texts', 'users', 'agents'],
  transcripts: ['texts', 'users', 'targets', 'groups', 'agents'],
  texts: ['users'],
  users: ['agents'],
  targets: ['agents'],
  groups: [],
  idempotency: [],
  knowledge: ['agents'],
  credentials: ['agents'],
  agents: ['receipts'],
  receipts: [],
}

const allowed: Record<string, string[]> = {
  'main.js': ['commands'],
  commands: [
    'demo',
    'config-files',
    'app',
    'foundation.ts',
    'triggers.ts',
    ...Object.keys(features),
    ...folders,
    ...ground,
  ],
  'config-files': [...Object.keys(features), ...folders, ...ground],
  demo: ['app', 'foundation.ts', ...Object.keys(features), ...folders, ...ground],
  app: ['foundation.ts', ...Object.keys(features), ...folders, ...ground],
  'foundation.ts': ['credentials', 'storage', 'triggers.ts', ...ground],
  // Each of these has the triggers that write its rows.
  'triggers.ts': ['notifications', 'notices', 'inbox', 'analytics', 'rules', 'search', 'users', 'storage'],
  ...Object.fromEntries(
    Object.entries(features).map(([name, others]) => [
      name,
      [...others, ...machinery, ...ground].filter(
        (other) => other !== 'mailboxes' || !belowMailboxes.includes(name),
      ),
    ]),
  ),
  http: ground,
  audit: ['http', 'storage', ...ground],
  events: ['storage', ...ground],
  mailboxes: ['agents', 'work', 'storage', 'events', 'platforms', ...ground],
  work: ['storage', ...ground],
  storage: ground,
  model: ground,
  platforms: ground,
  redaction: ground,
  conditions: ground,
  language: ['lib'],
  lib: [],
  'errors.ts': [],
  'config.ts': ['lib', 'settings'],
  settings: ['lib'],
}

const imports = globSync('src/**/*.{js,ts}').flatMap((from) => importsOf(from, readFileSync(from, 'utf8')))
const ofBrowsers = globSync('{console,widget,browser}/**/*.{ts,tsx}').flatMap((from) =>
  importsOf(from, readFileSync(from, 'utf8')),
)

describe('directions', () => {
  it('all imports are read', () => {
    assert.ok(imports.length > 200)
    assert.ok(imports.some(({ from, to }) => from === 'src/main.js' && to === 'src/commands/command-line.ts'))
    const text =
      "import a from './a.ts'\nexport {\n b,\n} from '../x/b.ts'\nawait import('pg')\nimport 'side'"
    const found = importsOf('src/y/z.ts', text).map(({ to }) => to)
    assert.deepEqual(found, ['src/y/a.ts', 'src/x/b.ts', 'pg', 'side'])
  })

  it('the features are in the order in which they may know each other', () => {
    const order = Object.keys(features)
    const wrong = Object.entries(features).flatMap(([name, known]) =>
      known.filter((other) => order.indexOf(other) <= order.indexOf(name)).map((other) => [name, other]),
    )
    assert.deepEqual(wrong, [])
  })

  it('every folder imports only what is below it', () => {
    const wrong = imports.filter(({ from, to }) => {
      const [importer, imported] = [partOf(from), partOf(to)]
      return to.startsWith('src/') && importer !== imported && !allowed[importer]?.includes(imported)
    })
    assert.deepEqual(wrong, [])
  })

  it('files of tables hold only types', () => {
    const values = globSync('src/*/tables.ts').filter((file) =>
      /^(import|export) (?!type|interface)/m.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(values, [])
  })

  it('no files import each other in a circle, not even for types', () => {
    assert.deepEqual(circlesOf(imports), [])
    assert.ok(ofBrowsers.length > 200)
    assert.deepEqual(circlesOf(ofBrowsers), [])
    assert.deepEqual(circlesOf([...twoWays('a', 'b'), ...twoWays('b', 'c'), { from: 'c', to: 'd' }]), [
      'a b c',
    ])
  })

  it('no two rooms of a folder import each other', () => {
    assert.deepEqual(mutualRooms(imports), [])
    assert.deepEqual(mutualRooms(ofBrowsers), [])
    const rooms = twoWays('src/a/one/x.ts', 'src/a/two/y.ts')
    assert.deepEqual(mutualRooms(rooms), ['src/a/one src/a/two'])
    assert.deepEqual(mutualRooms(twoWays('src/a/x.ts', 'src/a/two/y.ts')), [])
  })

  it('no import leaves src but for packages', () => {
    assert.deepEqual(
      imports.filter(({ to }) => to.startsWith('..') || to.startsWith('test/') || to.startsWith('bench/')),
      [],
    )
  })

  it('platforms, model and redaction know no database and no feature, and call nobody by themselves', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        /^src\/(platforms|model|redaction)\//.test(from) &&
        /^(kysely|pg|undici|node:(sqlite|net|https?))$/.test(to),
    )
    assert.deepEqual(wrong, [])
  })

  for (const [name, places] of [
    [
      'node:sqlite',
      [
        'src/storage/sqlite/serving-lock.ts',
        'src/storage/sqlite/sqlite-backup.ts',
        'src/storage/sqlite/sqlite-bulk.ts',
        'src/storage/sqlite/sqlite-connection.ts',
        'src/storage/sqlite/sqlite-copy-database.ts',
        'src/storage/sqlite/sqlite-copy-notes.ts',
        'src/storage/sqlite/sqlite.ts',
      ],
    ],
    [
      'pg',
      [
        'src/storage/postgres/postgres-bulk.ts',
        'src/storage/postgres/postgres-copy-notes.ts',
        'src/storage/postgres/postgres-failures.ts',
        'src/storage/postgres/postgres-plan-keeping.ts',
        'src/storage/postgres/postgres-pooler.ts',
        'src/storage/postgres/postgres-presence.ts',
        'src/storage/postgres/postgres-session.ts',
        'src/storage/postgres/postgres-shared-pool.ts',
        'src/storage/postgres/postgres-silence.ts',
        'src/storage/postgres/postgres.ts',
      ],
    ],
    ['eventsource-parser', ['src/model/parse-stream.ts', 'src/tools/mcp/guarded-fetch.ts']],
    ['prom-client', ['src/app/metrics/instruments.ts', 'src/app/metrics/serve-metrics.ts']],
  ] as const) {
    it(`${name} is imported only where it belongs`, () => {
      const importers = new Set(imports.filter(({ to }) => to === name).map(({ from }) => from))
      assert.deepEqual([...importers].sort(), places)
    })
  }

  it('undici is imported only under src/lib/outbound', () => {
    const importers = imports.filter(({ to }) => to === 'undici').map(({ from }) => from)
    assert.notDeepEqual(importers, [])
    assert.deepEqual(
      importers.filter((from) => !from.startsWith('src/lib/outbound/')),
      [],
    )
  })

  it('only storage asks which engine this is: others ask for an ability', () => {
    const asks =
      /\bengine\??\.kind\b|\{[^}]*\bkind\b[^}]*\}\s*[=:]\s*(\w+\.)*(engine|Engine)\b|Pick<Engine,[^>]*'kind'/
    const asking = globSync('src/**/*.ts').filter(
      (file) => !file.startsWith('src/storage/') && asks.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(asking, [])
    assert.ok(asks.test("engine.kind === 'sqlite'") && asks.test('const { kind } = database.engine'))
  })

  it('process.env is read in one file', () => {
    // A line that begins with a quote is an example text, not code.
    const reads = (line: string) => /process\.env/.test(line) && !/^\s*['"`]/.test(line)
    const readers = globSync('src/**/*.{js,ts}').filter((file) =>
      readFileSync(file, 'utf8').split('\n').some(reads),
    )
    assert.deepEqual(readers, ['src/settings/environment.ts'])
  })

  it('each path of a route is one literal that occurs once', () => {
    const named = globSync('src/**/*.ts').flatMap((file) => {
      // The routes of this room are below an address of their own.
      const under = file.startsWith('src/widgets/protocol/') ? 'widget ' : ''
      const calls =
        /\b(?:(?:server|scope)\.(get|post|put|patch|delete)|\w*(Route))\(\s*(?:(?:server|scope),\s*)?'(\/[^']*)'/g
      return [...readFileSync(file, 'utf8').matchAll(calls)].map(
        ([, method, kind, path]) => `${under}${method ?? kind} ${path}`,
      )
    })
    assert.ok(named.length > 250)
    assert.deepEqual(named.toSorted(), [...new Set(named)].sort())
  })
})

/** The files that import each other, directly or through others: the sorted names of each such group. */
function circlesOf(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const reachable = new Map<string, Set<string>>()
  for (const file of targets.keys()) {
    const reached = new Set<string>()
    const open = [file]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const { to } of targets.get(next) ?? [])
        if (!reached.has(to)) {
          reached.add(to)
          open.push(to)
        }
    reachable.set(file, reached)
  }
  const groups = [...reachable].flatMap(([file, reached]) =>
    reached.has(file)
      ? [
          [...reached]
            .filter((to) => reachable.get(to)?.has(file))
            .sort()
            .join(' '),
        ]
      : [],
  )
  return [...new Set(groups)].sort()
}

/** The pairs of folders that import each other and are in the same folder, by whatever is in them. */
function mutualRooms(imports: readonly Import[]): string[] {
  const pairs = new Set(
    imports.flatMap(({ from, to }) => {
      const [one, other] = [from.split('/'), to.split('/')]
      const fork = one.findIndex((name, at) => name !== other[at])
      // Where they part, both must still be in a folder.
      const areRooms = fork >= 0 && fork < one.length - 1 && fork < other.length - 1
      return areRooms ? [`${one.slice(0, fork + 1).join('/')} ${other.slice(0, fork + 1).join('/')}`] : []
    }),
  )
  return [...pairs].filter((pair) => {
    const [one = '', other = ''] = pair.split(' ')
    return one < other && pairs.has(`${other} ${one}`)
  })
}

function twoWays(one: string, other: string): Import[] {
  return [
    { from: one, to: other },
    { from: other, to: one },
  ]
}

function importsOf(from: string, text: string): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\s(?:[^;'"]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm,
  )
  return [...found].map(([, named, loaded]) => {
    const to = named ?? loaded ?? ''
    return { from, to: to.startsWith('.') ? normalize(join(dirname(from), to)) : to }
  })
}

/** The folder of src that a file is in, or the file's own name when it is in none. */
function partOf(file: string): string {
  return file.split('/')[1] ?? ''
}
