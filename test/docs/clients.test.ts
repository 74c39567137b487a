import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { startApp, type TestApp } from '../support/app.ts'
import { examplesIn } from '../support/guide.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

const run = promisify(execFile)
const PAUSE = { title: 'How do I pause the agent?', url: 'https://docs.example.com/pause' }

/** The programs of the guide by their names, and what each prints. */
const printed: Record<string, RegExp> = {
  'openai.mjs': /^Sunny in Oslo$/,
  'responses.mjs': /^Press the button \[1\]\.\nPress the button \[1\]\.$/,
  'list.mjs': /^\d+$/,
  'ai-sdk.mjs': /^Press the button \[1\]\.\nHow do I pause the agent\?: https:\/\/docs\.example\.com\/pause$/,
  'agents.mjs': /^Press the button \[1\]\.$/,
  'langchain.mjs': /^Press the button \[1\]\.$/,
}

describe('docs/clients.md', () => {
  let service: TestApp
  let model: ModelServer
  let folder: string
  const programs = examplesIn('docs/clients.md', 'js')

  before(async () => {
    model = await startModelServer()
    service = await startApp('sqlite', { PARLEY_MODEL_URL: model.url })
    await service.agent.post('/knowledge', { ...PAUSE, content: 'To pause the agent, press the button.' })
    model.answerFor = ({ messages, tools }) => {
      const result = messages.find(({ role }) => role === 'tool')
      if (result) return { text: String(result.content).replaceAll(/^.*?(Sunny in \w+).*$/gs, '$1') }
      if (!tools) return { text: 'Press the button [1].' }
      const call = { name: 'get_weather', arguments: '{"city":"Oslo"}' }
      return { tool_calls: [{ id: 'call_1', type: 'function', function: call }] }
    }
    folder = await mkdtemp(join(tmpdir(), 'parley-clients-'))
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  })
  after(async () => {
    await Promise.all([service.close(), model.close(), rm(folder, { recursive: true, force: true })])
  })

  it('has a program for each that is expected here', () => {
    assert.deepEqual(
      programs.map((text) => nameOf(text)),
      Object.keys(printed),
    )
  })

  for (const text of programs)
    it(`${nameOf(text)} prints what the guide says`, async () => {
      const file = join(folder, nameOf(text))
      await writeFile(file, text)
      const { apiKey, bearerToken } = service.agent
      const { stdout } = await run(process.execPath, [file], {
        env: { ...process.env, PARLEY: service.url, API_KEY: apiKey, BEARER_TOKEN: bearerToken },
      })
      assert.match(stdout.trim(), printed[nameOf(text)] ?? /^$/)
    })
})

function nameOf(program: string): string {
  return /^\/\/ (\S+)\n/.exec(program)?.[1] ?? 'a program without a name'
}
