import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addDataset, asks } from '../support/datasets.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { runProgram } from '../support/program.ts'

/** No worker runs in the service, so that the command does the work. */
const ENV = { PARLEY_ROLES: 'api' }

onBothEngines(
  'parley test',
  (service) => {
    async function parley(...words: string[]) {
      const { config } = service.app.app.foundation
      const env = {
        PARLEY_DATA_DIR: config.dataDir,
        PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
        PARLEY_MODEL_URL: service.model.url,
        PARLEY_MODEL: 'test-model',
        ...(config.databaseUrl ? { PARLEY_DATABASE_URL: config.databaseUrl } : {}),
      }
      return runProgram(['test', ...words], { env })
    }

    const yes = asks('Say yes', [{ kind: 'contains', value: 'yes' }])
    const no = asks('Say no', [{ kind: 'contains', value: 'maybe' }])

    it('0: all cases passed', async () => {
      const agent = await service.addAgent()
      const { id } = await addDataset(agent, [yes, yes])
      const { code, out, err } = await parley(String(id))
      assert.deepEqual([code, err], [0, ''])
      assert.match(
        out,
        /^Model calls: .*\nRun \d+ of dataset \d+ "Returns": 2 of 2 cases passed, 0 failed\.\n$/,
      )
    })

    it('1: prints what failed, and with --json the whole run', async () => {
      const agent = await service.addAgent()
      const { id, cases } = await addDataset(agent, [yes, no])
      const { code, out, err } = await parley(String(id), '--agent', String(agent.agentId))
      assert.deepEqual([code, err], [1, ''])
      const lines = out.trimEnd().split('\n')
      assert.deepEqual(lines.slice(0, -2), [
        `FAILED  case ${cases[1]}: Say no`,
        '  contains "maybe": The answer does not contain this text.',
        '  said: Say no',
      ])
      assert.match(lines.at(-2) ?? '', /^Model calls: 2, tokens: \d+ in, \d+ out\.$/)
      assert.match(lines.at(-1) ?? '', /1 of 2 cases passed, 1 failed\.$/)
      const json = await parley(String(id), '--json')
      assert.equal(json.code, 1)
      const run = JSON.parse(json.out)
      assert.deepEqual(run, (await agent.get(`/runs/${run.id}`)).body.data)
    })

    it('--repeats: exits 1 when a case fails more often than it may', async () => {
      const agent = await service.addAgent()
      const { id, cases } = await addDataset(agent, [yes])
      const answers = ['yes', 'no', 'yes', 'yes']
      let asked = 0
      service.model.answerFor = () => ({ text: answers[asked++ % 4] ?? '' })
      const { code, out } = await parley(String(id), '--repeats', '4')
      assert.equal(code, 1, out)
      const lines = out.split('\n')
      assert.deepEqual(lines.slice(0, 3), [
        `FAILED  case ${cases[0]} (passed 3 of 4): Say yes`,
        '  contains "yes": The answer does not contain this text.',
        '  said: no',
      ])
      assert.equal(lines[3], 'Pass rate: 75% on average, 0% to 100% across repeats.')
      assert.equal((await parley(String(id), '--repeats', '4', '--may-fail', '0.25')).code, 0)
    })

    it('a dataset is also named by its name', async () => {
      const agent = await service.addAgent()
      const name = `Returns of ${agent.agentId}`
      await addDataset(agent, [yes], name)
      assert.equal((await parley(name)).code, 0)
      await addDataset(agent, [yes], name)
      const { code, err } = await parley(name)
      assert.equal(code, 2)
      assert.match(err, /several datasets/)
    })

    it('2: no such dataset, none of this agent, or one without cases', async () => {
      const { id } = await addDataset(await service.addAgent())
      const other = await service.addAgent()
      for (const [words, why] of [
        [['999999'], /there is no dataset 999999/],
        [[String(id), '--agent', String(other.agentId)], /there is no dataset \d+ of agent \d+/],
        [[String(id)], /has no cases/],
        [[], /usage: parley test DATASET/],
        [[String(id), '--may-fail', '1'], /--may-fail must be a number from 0 up to 1/],
        [[String(id), '--agent', 'x'], /--agent must be given as a whole number/],
      ] as const) {
        const { code, err } = await parley(...words)
        assert.equal(code, 2, err)
        assert.match(err, why)
      }
    })
  },
  ENV,
)
