import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { buffer, text } from 'node:stream/consumers'
import { it } from 'node:test'
import { freshDatabase } from '../support/databases.ts'
import { settingsOn } from '../support/service-process.ts'

/** Far longer than a start takes; what spins never ends. */
const HANGS_MS = 180_000

it('a data directory where no folder can be made ends the start at once', {
  skip: existsSync('/proc/self') ? false : 'there is no /proc here',
}, () => {
  const { status, signal, stderr } = spawnSync(process.execPath, ['src/main.js', 'serve'], {
    env: { ...process.env, PARLEY_DATA_DIR: '/proc/x/y', PARLEY_PORT: '0' },
    encoding: 'utf8',
    timeout: HANGS_MS,
    killSignal: 'SIGKILL',
  })
  assert.equal(signal, null, 'it hangs')
  assert.equal(status, 2, stderr)
  assert.match(stderr, /^parley: PARLEY_DATA_DIR \/proc\/x\/y cannot be written: .*ENOENT/m)
})

it('a warning of a library is a line of the log, without its words', async () => {
  const database = await freshDatabase('sqlite')
  const preload = `const { write } = process.stdout
    process.stdout.write = function (...values) {
      process.emitWarning('hunter2', { code: 'TEST01' })
      return write.apply(this, values)
    }`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(preload)}`, 'src/main.js', 'serve', '--json'],
    { env: { ...process.env, ...settingsOn(database), PARLEY_PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const logged = text(child.stderr)
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  void buffer(child.stdout)
  child.kill('SIGTERM')
  await ended
  const lines = (await logged)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.flatMap(({ warning }) => warning ?? []),
    [{ name: 'Warning', code: 'TEST01' }],
  )
  assert.ok(!(await logged).includes('hunter2'))
  await database.remove()
})
