import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { dumpDatabase, inspectDump } from '../../../src/storage/postgres/postgres-backup.ts'

/** PostgreSQL's tools are replaced by scripts here, so that neither they nor a server are needed. */
describe("PostgreSQL's tools", () => {
  let folder: string
  const path = process.env.PATH ?? ''

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-tools-'))
    process.env.PATH = `${folder}${delimiter}${path}`
  })
  afterEach(async () => {
    process.env.PATH = path
    await rm(folder, { recursive: true })
  })

  const addTool = (name: string, ...lines: string[]) =>
    writeFile(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o700 })

  it('find no password among their words, wherever the address has it', async () => {
    await addTool('pg_dump', `printf '%s\\n' "$PGPASSWORD" "$@" > "$0.called"`)
    const addresses = [
      'postgres://parley:kettle%40home@db.example.com/parley?options=-c%20work_mem%3D8MB',
      'postgres://parley@db.example.com/parley?options=-c%20work_mem%3D8MB&password=kettle%40home',
    ]
    for (const [index, address] of addresses.entries()) {
      const dump = join(folder, `dump-${index}`)
      await writeFile(dump, '')
      await dumpDatabase(address, dump)
      const called = await readFile(join(folder, 'pg_dump.called'), 'utf8')
      const [password, ...words] = called.split('\n')
      assert.equal(password, 'kettle@home')
      assert.ok(!words.join().includes('kettle'), called)
      assert.match(
        called,
        /^--dbname=postgres:\/\/parley@db\.example\.com\/parley\?options=-c%20work_mem%3D8MB$/m,
      )
    }
  })

  it('end before the command that a signal ends', async () => {
    await addTool(
      'pg_restore',
      `trap 'touch "$0.ended"; exit 1' TERM`,
      'kill -TERM $PPID',
      'while kill -0 $PPID 2> /dev/null; do sleep 0.05; done',
    )
    const module = import.meta.resolve('../../../src/storage/postgres/postgres-backup.ts')
    const code = `const { inspectDump } = await import('${module}'); await inspectDump('any')`
    const command = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'ignore' })
    assert.deepEqual(await once(command, 'exit'), [1, null])
    assert.ok(existsSync(join(folder, 'pg_restore.ended')))
  })

  it('have their rows counted by the ends of lines that PostgreSQL writes', async () => {
    await addTool('pg_restore', 'cat "$2"')
    const dump = join(folder, 'dump')
    const rows = ['1\tone\u2028two\u2029three\u0085four', `2\t${'é'.repeat(100_000)}`, '3\t\\r']
    const text = [
      '-- ',
      'COPY public.teams (id, name) FROM stdin;',
      ...rows,
      '\\.',
      '',
      'COPY public.schema_migrations (name) FROM stdin;',
      'first',
      '\\.',
      '',
    ]
    await writeFile(dump, text.join('\n'))
    const { tables, rows: count, migrations } = await inspectDump(dump)
    assert.deepEqual([tables, count, migrations], [2, 4, ['first']])
  })
})
