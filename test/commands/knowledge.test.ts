import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { exampleIn } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const MAIN = resolve('src/main.js')

onBothEngines(
  'parley knowledge, beside a running service',
  (service) => {
    let folder: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'parley-knowledge-'))
      await mkdir(join(folder, 'docs/deep'), { recursive: true })
      await writeFile(join(folder, 'docs/returns.md'), '# Returns\n\nA kettle may be sent back for 30 days.')
      await writeFile(join(folder, 'docs/deep/opening.txt'), 'The shop opens at nine.')
      await writeFile(join(folder, 'docs/picture.png'), 'no document')
      await writeFile(join(folder, 'faq.html'), '<nav>Home</nav><h1>Parking</h1><p>Behind the bakery.</p>')
    })
    after(() => rm(folder, { recursive: true }))

    async function parley(...words: string[]) {
      const { config } = service.app.app.foundation
      const env = {
        PARLEY_DATA_DIR: config.dataDir,
        PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        ...(config.databaseUrl ? { PARLEY_DATABASE_URL: config.databaseUrl } : {}),
      }
      return new Promise<{ code: number; out: string; err: string }>((done) => {
        const options = { cwd: folder, env: { ...process.env, ...env } }
        const child = execFile(process.execPath, [MAIN, ...words], options, (_error, out, err) =>
          done({ code: child.exitCode ?? -1, out, err }),
        )
      })
    }
    const titles = async (agent: TestAgent) =>
      (await agent.get('/knowledge')).body.data
        .map(({ title, url }: { title: string; url: string | null }) => [title, url])
        .toSorted()

    it("add: the guide's command; files of folders have addresses of their own, and again changes nothing", async () => {
      const agent = await service.addAgent()
      const [, typed = ''] =
        /^npm run -s parley -- (.*)$/m.exec(exampleIn('docs/knowledge.md', 'sh', 'add')) ?? []
      const words = typed.replace('--agent 1', `--agent ${agent.agentId}`).split(' ')
      const first = await parley(...words, '--json')
      assert.deepEqual([first.code, first.err], [0, ''])
      assert.deepEqual(
        JSON.parse(first.out).map(({ file, changed }: { file: string; changed: boolean }) => [file, changed]),
        [
          ['docs/deep/opening.txt', true],
          ['docs/returns.md', true],
          ['faq.html', true],
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
      assert.match(found.out, /^[01]\.\d\d\tParking › Parking\tBehind the bakery\.\n/)
    })

    it('add: what is no text is named and left out, the rest is added', async () => {
      const agent = await service.addAgent()
      const files = {
        'empty.md': '',
        'scan.pdf': Buffer.from('%PDF-1.7\n\xe2\xe3\xcf\xd3', 'latin1'),
        'good.md': 'Ask Ada.',
      }
      for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
      const { code, out, err } = await parley(
        'knowledge',
        'add',
        ...Object.keys(files),
        '--agent',
        String(agent.agentId),
      )
      assert.equal(code, 1)
      assert.match(out, /^\d+\tadded\tgood\.md\n$/)
      assert.match(err, /^parley: empty\.md: .+\nparley: scan\.pdf: .+\n$/)
      assert.deepEqual(await titles(agent), [['good', null]])
    })

    it('typed wrong: exit code 2 and one line', async () => {
      for (const [words, line] of [
        [['add', 'docs'], '--agent must be given as a whole number'],
        [['add', 'nothing.md', '--agent', '1'], 'there is no file nothing.md'],
        [['add', 'docs', '--agent', '1', '--url', 'nonsense'], '--url must be an address'],
        [['add', 'docs', '--agent', '3000000000'], 'there is no agent 3000000000'],
        [['search', 'kettle', '--agent', '999'], 'there is no agent 999'],
      ] as const) {
        const { code, out, err } = await parley('knowledge', ...words)
        assert.deepEqual([code, out, err], [2, '', `parley: ${line}\n`])
      }
    })
  },
  { PARLEY_MODEL_URL: '' },
)
