import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { startApp } from '../support/app.ts'
import { startModelServer } from '../support/model-server.ts'
import { runProgram } from '../support/program.ts'

it('parley export, beside a running service: whole files, exit codes, an act in the audit', async () => {
  await using model = await startModelServer()
  await using app = await startApp('sqlite', { PARLEY_MODEL_URL: model.url, PARLEY_MODEL: 'm' })
  const { agent, dataDir } = app
  await agent.prompt('a question')
  const env = { PARLEY_DATA_DIR: dataDir, PARLEY_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') }
  const parley = (...words: string[]) => runProgram(['export', ...words], { env })
  const of = ['--agent', String(agent.agentId)]

  const shown = await parley(...of)
  assert.equal(shown.code, 0, shown.err)
  assert.match(shown.out, /"type":"message".*"content":"a question"/)

  const file = join(dataDir, 'all.csv')
  const written = await parley(...of, '--format', 'csv', '--output', file, '--json')
  assert.deepEqual([written.code, JSON.parse(written.out)], [0, { file, conversations: 1 }], written.err)
  assert.match(await readFile(file, 'utf8'), /^type,id,.*\r\nmessage,/)

  assert.equal((await parley(...of, '--output', file)).code, 2, 'nothing is written over')
  await writeFile(join(dataDir, 'folder'), '')
  assert.equal((await parley(...of, '--output', join(dataDir, 'folder', 'x'))).code, 1)
  assert.equal((await parley(...of, '--format', 'xml')).code, 2)
  assert.equal((await parley(...of, '--from', 'yesterday')).code, 2)
  assert.equal((await parley('--agent', '999')).code, 2)
  const names = await readdir(dataDir)
  assert.deepEqual(
    names.filter((name) => name.endsWith('.part')),
    [],
  )

  const acts = (await agent.get('/audit?action=export.made')).body.data
  const details = { format: 'csv', from: null, to: null }
  assert.ok(
    acts.some(
      (act: { actor: { kind: string }; details: object }) =>
        act.actor.kind === 'command_line' && JSON.stringify(act.details) === JSON.stringify(details),
    ),
  )
})
