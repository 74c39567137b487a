import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { parseArgs } from 'node:util'
import { createFirstAgent } from '../../src/agents/first-agent.ts'
import { loadCommand } from '../../src/commands/command-line.ts'
import { failureInWords } from '../../src/commands/failure-in-words.ts'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { runProgram } from '../support/program.ts'
import { settingsOn } from '../support/service-process.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-failures-'))
after(() => rm(folder, { recursive: true }))
const at = (name: string) => join(folder, name)
await writeFile(at('file'), 'A text that is no database, no backup and no receipt.')
await mkdir(at('folder'))
await mkdir(at('broken'))
await writeFile(
  join(at('broken'), 'parley.db'),
  'A text that is no database, longer than its header. '.repeat(9),
)
const data = at('data')
const { database, close } = await openFoundation(readConfig({ PARLEY_DATA_DIR: data }))
await createFirstAgent(database.db, Date.now())
await close()

/** Runs a command in this process. @returns what it tells users when it fails */
async function said(words: string, env: Record<string, string> = {}): Promise<string> {
  const typed = words.split(' ')
  const command = await loadCommand(typed)
  assert.ok(command)
  const args = typed.slice(command.name.split(' ').length)
  const { values, positionals } = parseArgs({ args, options: command.options ?? {}, allowPositionals: true })
  const config = readConfig({ PARLEY_DATA_DIR: data, ...env })
  const options = values as Record<string, string | boolean | undefined>
  try {
    await command.run({ config, positionals, options, print: () => {} })
  } catch (error) {
    return failureInWords(error)
  }
  assert.fail('it did not fail')
}

for (const [words, sentence] of [
  ['config export DIR/none/a.yaml', 'there is no folder DIR/none'],
  ['config export DIR/folder', 'DIR/folder is a folder, not a file'],
  ['config apply DIR/none', 'there is no DIR/none'],
  ['config apply DIR/folder', 'DIR/folder is a folder, not a file'],
  ['backup DIR/none/b', 'there is no folder DIR/none'],
  ['backup DIR/file/b', 'a part of the path DIR/file/b.partial is a file, not a folder'],
  ['backup DIR/b --with-key DIR/none/k', 'there is no folder DIR/none'],
  ['restore DIR/none', 'there is no DIR/none'],
  ['restore DIR/folder --verify', 'DIR/folder is a folder, not a file'],
  ['restore DIR/file --verify', 'DIR/file is no backup of Parley'],
  ['export --agent 1 --output DIR/none/x', 'there is no folder DIR/none'],
  ['receipts verify DIR/none', 'there is no DIR/none'],
  ['receipts verify DIR/folder', 'DIR/folder is a folder, not a file'],
  ['copy --to sqlite:DIR/broken', 'DIR/broken/parley.db is not a database of SQLite, or damaged'],
  ['copy --to sqlite:DIR/file', 'PARLEY_DATA_DIR DIR/file cannot be written: it is a file (EEXIST)'],
  [
    'copy --from sqlite:DIR/broken --to sqlite:DIR/to',
    'DIR/broken/parley.db is not a database of SQLite, or damaged',
  ],
] as const)
  it(`parley ${words} says: ${sentence}`, async () => {
    const inFolder = (text: string) => text.replaceAll('DIR/', `${folder}/`)
    assert.equal(await said(inFolder(words)), inFolder(sentence))
  })

it('says which address nobody answers at', async () => {
  const nowhere = settingsOn({ dataDir: data, databaseUrl: 'postgres://127.0.0.1:1/x' })
  assert.equal(await said('agents list', nowhere), 'nothing answers at 127.0.0.1 port 1 (ECONNREFUSED)')
  const both = new AggregateError([
    Object.assign(new Error('a file'), { syscall: 'open', code: 'EROFS', path: '/x' }),
  ])
  assert.equal(failureInWords(both), '/x cannot be written: it is on a read-only file system')
})

it('is printed as one line by the command line', async () => {
  const { err, code } = await runProgram(['config', 'apply', at('none')], { env: { PARLEY_DATA_DIR: data } })
  assert.deepEqual([err, code], [`parley: there is no ${at('none')}\n`, 1])
})
