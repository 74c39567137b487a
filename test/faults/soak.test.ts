import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { it } from 'node:test'
import { reportOf } from '../soak/report.ts'
import { soak } from '../soak/soak.ts'
import { engines } from '../support/databases.ts'

/** The options of `npm run soak`; without them a soak of seconds. */
const asked = JSON.parse(process.env.PARLEY_TEST_SOAK ?? '{}')
const { seconds = 8, rate = 25, replicas = 2, report = null } = asked

for (const engine of engines)
  it(`${seconds} s of a mixed load with kills break no promise, on ${engine}`, async () => {
    const result = await soak({
      engine,
      replicas: engine === 'sqlite' ? 1 : replicas,
      rate,
      seconds,
      ...(report ? { report: (line: string) => void process.stderr.write(`${line}\n`) } : {}),
    })
    const page = reportOf(result)
    if (report) await writeFile(report.replace('ENGINE', engine), page)
    assert.match(page, /<svg/)
    assert.deepEqual(
      result.promises.filter(({ broken }) => broken.length > 0),
      [],
    )
    const { ledger } = result
    assert.ok(ledger.kills.length > 0 && ledger.answered.length > 0 && ledger.said.size > 0)
  })
