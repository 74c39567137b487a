import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'

/** The room for the files of a new database that is too small: for its first page, for the index of its log, for tables. */
for (const room of ['4k', '8k', '64k'])
  it(`a first start on a disk with ${room} says that the disk is full, not that the database is away`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-full-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${room}`, 'tmpfs', folder])
    if (mounted.status !== 0) return t.skip('no file system may be mounted here')
    try {
      const child = spawn(process.execPath, ['src/main.js', 'serve'], {
        env: { ...process.env, PARLEY_DATA_DIR: folder, PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const ended = once(child, 'close')
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (data: string) => {
          said += data
          // With some room it waits for more.
          if (said.includes('\n')) child.kill('SIGTERM')
        })
      await ended
      assert.match(said, /disk is full/)
      assert.doesNotMatch(said, /cannot be reached|I\/O error/)
    } finally {
      spawnSync('umount', ['-l', folder])
    }
  })
