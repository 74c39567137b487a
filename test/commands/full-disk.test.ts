import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { openFoundation } from '../../src/foundation.ts'
import { startProgram } from '../support/program.ts'

/** The room for the files of a new database that is too small: for its first page, for the index of its log, for tables. */
for (const room of ['4k', '8k', '64k'])
  it(`a first start on a disk with ${room} says that the disk is full, not that the database is away`, async (t) => {
    using disk = smallDisk(room)
    if (!disk) return t.skip(NO_MOUNT)
    await assertToldAsFull(disk.folder)
  })

/** The numbers of files at which one finds no room: of the lock, the database, its log and index, the key, its second name. */
for (const files of [1, 2, 3, 4, 5, 6, 7])
  it(`a first start with room for ${files} files says so too, and makes its key when there is more`, async (t) => {
    using disk = smallDisk(`64m,nr_inodes=${files}`)
    if (!disk) return t.skip(NO_MOUNT)
    await assertToldAsFull(disk.folder)
    assert.ok(readdirSync(disk.folder).every((name) => !name.startsWith('master.key')))
    spawnSync('mount', ['-o', 'remount,nr_inodes=100', disk.folder])
    await using _ = await openFoundation(readConfig({ PARLEY_DATA_DIR: disk.folder }))
    assert.ok(readdirSync(disk.folder).includes('master.key'))
  })

const NO_MOUNT = 'no file system may be mounted here'

/** Mounts a file system with so much room; null where none may be mounted. */
function smallDisk(room: string): ({ folder: string } & Disposable) | null {
  const folder = mkdtempSync(join(tmpdir(), 'parley-full-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${room}`, 'tmpfs', folder]).status !== 0) {
    remove()
    return null
  }
  const dispose = () => {
    spawnSync('umount', ['-l', folder])
    remove()
  }
  return { folder, [Symbol.dispose]: dispose }
}

/** Starts the service until it ends or says something. */
async function assertToldAsFull(folder: string): Promise<void> {
  const env = { PARLEY_DATA_DIR: folder, PARLEY_PORT: '0', PARLEY_LOG_LEVEL: 'warn' }
  const child = await startProgram(['serve'], { env })
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
}
