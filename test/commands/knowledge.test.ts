import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { exampleIn } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { runProgram } from '../support/program.ts'

onBothEngines(
  'parley knowledge, beside a running service',
  (service) => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-knowledge-'))
      await mkdir(join(folder, 'help/deep'), { recursive: true })
      await writeFile(join(folder, 'help/returns.md'), '# Returns\n\nA kettle may be sent back for 30 days.')
      await writeFile(join(folder, 'help/deep/opening.txt'), 'The shop opens at nine.')
      await writeFile(join(folder, 'faq.html'), '<nav>Home</nav><h1>Parking</h1><p>Behind the bakery.</p>')
    })
    after(() => rm(folder, { recursive: true }))

    async function parley(...words: string[]) {
      const { config } = service.app.app.foundation
      const env = {
        PARLEY_DATA_DIR: config.dataDir,
        PARLEY_PRIVATE_TARGETS: config.privateTargets,
        PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        ...(config.databaseUrl ? { PARLEY_DATABASE_URL: config.databaseUrl } : {}),
      }
      return runProgram(words, { cwd: folder, env })
    }
    const titles = async (agent: TestAgent) =>
      (await agent.get('/knowledge')).body.data
        .map(({ title, url }: { title: string; url: string | null }) => [title, url])
        .toSorted()

    it("add: the guide's command; files of folders have addresses of their own, and again changes nothing", async () => {
      const agent = await service.addAgent()
      const [, typed = ''] =
        /^npm run -s parley -- (.*)$/m.exec(exampleIn('docs/knowledge.md', 'sh', 'knowledge add help/')) ?? []
      const words = typed.replace('--agent 1', `--agent ${agent.agentId}`).split(' ')
      const first = await parley(...words, '--json')
      assert.deepEqual([first.code, first.err], [0, ''])
      assert.deepEqual(
        JSON.parse(first.out).map(({ file, outcome }: { file: string; outcome: string }) => [file, outcome]),
        [
          ['help/deep/opening.txt', 'added'],
          ['help/returns.md', 'added'],
          ['faq.html', 'added'],
        ],
      )
      assert.deepEqual(await titles(agent), [
        ['Parking', 'https://example.com/help/faq.html'],
        ['Returns', 'https://example.com/help/returns.md'],
        ['opening', 'https://example.com/help/deep/opening.txt'],
      ])
      assert.match((await agent.prompt('When does the shop open?')).choices[0].message.content, /at nine/)
      const again = await parley(...words)
      assert.match(again.out, /^(\d+\tunchanged\t\S+\n){3}$/)
      const found = await parley('knowledge', 'search', 'Where can I park?', '--agent', String(agent.agentId))
      assert.match(found.out, /^[01]\.\d\d\tParking\tBehind the bakery\.\n/)
    })

    it('search: an empty question is refused', async () => {
      const { code, err } = await parley('knowledge', 'search', ' ', '--agent', '1')
      assert.equal(code, 2)
      assert.match(err, /the question is empty/)
    })

    it('search: by meaning where there are vectors, and by words with a line on stderr when their server fails', async () => {
      await using server = await startEmbeddingServer()
      const agent = await service.addAgent()
      for (const [title, content] of [
        ['Parking', 'Behind the bakery.'],
        ['Pets', 'Your dog is welcome.'],
      ])
        await agent.post('/knowledge', { title, content })
      await agent.patch('/agent', { embedding: { url: server.url, name: 'one' } })
      await becomes(async () => (await agent.get('/knowledge/embedding')).body.data.status, 'done')
      const search = async (question: string) => {
        const { code, out, err } = await parley(
          ...['knowledge', 'search', question, '--agent', String(agent.agentId), '--json'],
        )
        const found: { title: string; similarity: number | null }[] = JSON.parse(out)
        return {
          code,
          err,
          titles: found.map(({ title }) => title),
          similarity: found[0]?.similarity ?? null,
        }
      }
      const { data } = (await agent.get('/knowledge/search?q=perro')).body
      const near = await search('perro')
      assert.deepEqual([near.code, near.err, near.titles[0]], [0, '', 'Pets'])
      assert.deepEqual(
        [near.titles, near.similarity],
        [data.map(({ title }: { title: string }) => title), data[0].similarity],
        'what the service finds',
      )
      server.failure = { status: 503 }
      const byWords = await search('bakery')
      assert.deepEqual([byWords.code, byWords.titles, byWords.similarity], [0, ['Parking'], null])
      assert.match(byWords.err, /^parley: a question could not be embedded: .*503.*\n$/)
    })

    /** Makes a folder of files, and adds it for a new agent. */
    async function addFolder(name: string, files: Record<string, string | Buffer>, ...options: string[]) {
      const agent = await service.addAgent()
      for (const [file, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name, file)), { recursive: true })
        await writeFile(join(folder, name, file), content)
      }
      const add = async () => {
        const added = await parley(
          'knowledge',
          'add',
          name,
          '--agent',
          String(agent.agentId),
          '--json',
          ...options,
        )
        const outcomes: Outcome[] = JSON.parse(added.out)
        return {
          ...added,
          outcomes,
          told: outcomes.map(({ file, outcome, reason }) => [file, outcome, reason]),
        }
      }
      return { agent, add }
    }
    interface Outcome {
      file: string
      outcome: string
      document_id: number | null
      source: string | null
      reason: string | null
    }

    it('add: says of each file what became of it, and fails when one was skipped', async () => {
      const { agent, add } = await addFolder('mixed', {
        'empty.md': '',
        'logo.png': 'not read',
        'scan.pdf': Buffer.from('%PDF-1.7\n\xe2\xe3\xcf\xd3', 'latin1'),
        'odd.txt': Buffer.from('\xcf\xf0\xe8', 'latin1'),
        'good.md': 'Ask Ada.',
        'page.mdx': "import { Tabs } from './tabs'\n\n# Widgets\n\n<Tabs>\n\nThey are **blue**.\n\n</Tabs>\n",
        '.git/config': 'no document',
      })
      const { code, told } = await add()
      assert.equal(code, 1)
      assert.deepEqual(told, [
        ['mixed/empty.md', 'skipped', 'there is no text in it'],
        ['mixed/good.md', 'added', null],
        ['mixed/logo.png', 'skipped', 'its format is not read'],
        ['mixed/odd.txt', 'skipped', 'it is no text in UTF-8'],
        ['mixed/page.mdx', 'added', null],
        ['mixed/scan.pdf', 'skipped', 'it is no PDF that can be read'],
      ])
      assert.deepEqual(await titles(agent), [
        ['Widgets', null],
        ['good', null],
      ])
      const lines = await parley('knowledge', 'add', 'mixed', '--agent', String(agent.agentId))
      assert.match(lines.out, /^-\tskipped\tmixed\/empty\.md\tthere is no text in it\n\d+\tunchanged\tmixed/)
    })

    it('add: files of one title are documents of their own, and a changed one replaces itself', async () => {
      const { agent, add } = await addFolder('same', {
        'a/index.md': '# Introduction\n\nAbout apples.',
        'b/index.md': '# Introduction\n\nAbout bears.',
        'c.md': '---\ntitle: Introduction\n---\nAbout cats.',
      })
      const first = await add()
      assert.deepEqual(
        [first.code, first.outcomes.map(({ outcome }) => outcome)],
        [0, ['added', 'added', 'added']],
      )
      assert.equal(new Set(first.outcomes.map(({ document_id }) => document_id)).size, 3)
      assert.deepEqual(
        first.outcomes.map(({ source }) => source),
        ['same/a/index.md', 'same/b/index.md', 'same/c.md'].map((file) => join(realpathSync(folder), file)),
      )
      assert.equal((await agent.get('/knowledge')).body.total, 3)
      await writeFile(join(folder, 'same/b/index.md'), '# Introduction\n\nAbout beavers.')
      const again = await add()
      assert.deepEqual(
        again.outcomes.map(({ outcome }) => outcome),
        ['unchanged', 'replaced', 'unchanged'],
      )
      assert.equal((await agent.get('/knowledge')).body.total, 3)
      assert.deepEqual((await agent.get('/knowledge/search?q=bears')).body.data, [])
    })

    it('add: reads the title, the address and the description of front matter', async () => {
      const { agent, add } = await addFolder(
        'matter',
        {
          'a.md':
            '---\ntitle: "Ports: which?"\nurl: /guide/ports\ndescription: >\n  How to choose\n  a socket.\ntags: [x]\n---\n\n# H\n\nPick 8080.',
          'b.md': "---\ntitle: 'It''s b'\nurl: https://other.example/b\n---\nText of b.",
          'c.md': 'Text of c.',
        },
        '--url',
        'https://docs.example/base',
      )
      assert.equal((await add()).code, 0)
      assert.deepEqual(await titles(agent), [
        ["It's b", 'https://other.example/b'],
        ['Ports: which?', 'https://docs.example/guide/ports'],
        ['c', 'https://docs.example/base/c.md'],
      ])
      const { body } = await agent.get('/knowledge/search?q=choose%20a%20socket')
      assert.equal(body.data[0].title, 'Ports: which?')
    })

    it('add: no link leads out of the folder, and no pipe is waited for', async () => {
      const { agent, add } = await addFolder('links', { 'good.md': 'Ask Ada.' })
      await mkdir(join(folder, 'outside'))
      await writeFile(join(folder, 'outside/secret.md'), 'The safe is 1234.')
      await symlink(join(folder, 'outside/secret.md'), join(folder, 'links/link.md'))
      await symlink(join(folder, 'outside'), join(folder, 'links/more'))
      execFileSync('mkfifo', [join(folder, 'links/pipe.md')])
      const { code, told } = await add()
      assert.equal(code, 1)
      assert.deepEqual(told, [
        ['links/good.md', 'added', null],
        ['links/link.md', 'skipped', 'it is a link'],
        ['links/more', 'skipped', 'it is a link'],
        ['links/pipe.md', 'skipped', 'it is no regular file'],
      ])
      assert.deepEqual(await titles(agent), [['good', null]])
      const named = await parley('knowledge', 'add', 'links/pipe.md', '--agent', String(agent.agentId))
      assert.deepEqual([named.code, named.out], [1, '-\tskipped\tlinks/pipe.md\tit is no regular file\n'])
    })

    it('add: two folders whose files would have one address', async () => {
      const { agent } = await addFolder('one', { 'index.md': 'First.' })
      await addFolder('two', { 'index.md': 'Second.' })
      const words = [
        'knowledge',
        'add',
        'one',
        'two',
        '--agent',
        String(agent.agentId),
        '--url',
        'https://x.example',
      ]
      const { code, out } = await parley(...words)
      assert.equal(code, 1)
      assert.match(
        out,
        /^\d+\tadded\tone\/index\.md\n-\tskipped\ttwo\/index\.md\tone\/index\.md has the same address\n$/,
      )
    })

    it('typed wrong: exit code 2 and one line', async () => {
      for (const [words, line] of [
        [['add', 'help'], '--agent must be given as a whole number'],
        [['add', 'nothing.md', '--agent', '1'], 'there is no file nothing.md'],
        [['add', 'help', '--agent', '1', '--url', 'nonsense'], '--url must be an http or https address'],
        [['add', 'help', '--agent', '3000000000'], 'there is no agent 3000000000'],
        [['search', 'kettle', '--agent', '999'], 'there is no agent 999'],
      ] as const) {
        const { code, out, err } = await parley('knowledge', ...words)
        assert.deepEqual([code, out, err], [2, '', `parley: ${line}\n`])
      }
    })
  },
  { PARLEY_MODEL_URL: '' },
)
