import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { engines } from '../support/databases.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { upload } from '../support/upload.ts'

const MEBIBYTE = 1024 * 1024
/** The usual limit of a file, and a file that is three times as large, in MiB. */
const USUAL = 25
const LARGE = 80
/** A growth that one more file of the usual size may bring once memory has settled, in MiB. */
const SETTLED = 4
/** The number of such files in a row after which it has settled: between two, garbage may just not have piled up. */
const CALM = 3

/** The most memory that a process has ever had, in MiB. */
async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

for (const engine of engines)
  it(`${engine}: memory grows neither with the size of a file nor with many of 25 MiB, in and out`, async (t) => {
    const database = await databaseWithAgent(engine)
    t.after(() => database.remove())
    const service = await startService({
      ...settingsOn(database),
      PARLEY_FILE_LIMIT: String(LARGE * MEBIBYTE),
    })
    t.after(() => service.end('SIGTERM'))
    const agent = firstAgentOf(service)(service)
    const { conversation_id } = await agent.prompt('hello')
    const piece = new Uint8Array(MEBIBYTE)

    /** Sends a file, and reads it again. */
    async function pass(mebibytes: number): Promise<void> {
      const content = new Blob(Array<Uint8Array<ArrayBuffer>>(mebibytes).fill(piece))
      const { status, body } = await upload(agent, conversation_id, { 'a.bin': content })
      assert.equal(status, 201)
      const path = `${agent.baseUrl}/conversations/${conversation_id}/attachments/${body.data.id}`
      const response = await fetch(path, { headers: agent.headers })
      assert.equal(response.status, 200)
      let read = 0
      for await (const chunk of response.body ?? []) read += chunk.length
      assert.equal(read, mebibytes * MEBIBYTE)
    }

    // The database's caches and the heap reach their sizes, which takes longer on a busy machine.
    let before = 0
    for (let calm = 0; calm < CALM; ) {
      await pass(USUAL)
      const peak = await peakOf(service.child.pid)
      calm = peak > before + SETTLED ? 0 : calm + 1
      before = peak
    }
    await pass(LARGE)
    const grown = (await peakOf(service.child.pid)) - before
    assert.ok(grown < LARGE / 2, `${Math.round(grown)} MiB more, from ${Math.round(before)}`)
  })
