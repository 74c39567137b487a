import assert from 'node:assert/strict'
import { it } from 'node:test'
import JSZip from 'jszip'
import { entriesOfExport } from '../../../src/exports/export-files.ts'
import type { ExportedRow } from '../../../src/exports/export-rows.ts'
import { zip } from '../../../src/exports/zip.ts'
import { BytesGone, beginReading } from '../../../src/files/places/file-place.ts'

it('an archive stays whole while files go, leaves out what it cannot have whole, and tells of all that went', async () => {
  const states = new Map([
    ['before', 'deleted'],
    ['between', 'stored'],
    ['midway', 'stored'],
    ['after', 'stored'],
    ['there', 'stored'],
  ])
  /** Reads the messages as they are now, as an export does. */
  async function* rows() {
    const attachments = JSON.stringify(
      [...states].map(([id, state]) => ({
        id,
        kind: 'file',
        name: 'a.txt',
        type: 'text/plain',
        bytes: 2,
        state,
      })),
    )
    yield [{ type: 'message', row: { agent_id: 1, attachments } }] as unknown as ExportedRow[]
  }
  async function* piecesOfFile(id: string) {
    const goes = () => states.set(id, 'deleted')
    if (id === 'between') goes()
    if (id === 'between') throw new BytesGone()
    yield Buffer.from('h')
    if (id === 'midway') goes()
    if (id === 'midway') throw new BytesGone()
    yield Buffer.from('i')
    if (id === 'after') goes()
  }
  const read = ({ id }: { id: string }) => beginReading(piecesOfFile(id))
  const text = { name: 'export.jsonl', pieces: piecesOf('{}') }
  const archive = Buffer.concat(await Array.fromAsync(zip(entriesOfExport(text, rows, read))))
  const { files } = await JSZip.loadAsync(archive, { checkCRC32: true })
  const held = Object.values(files).map(async (file) => [file.name, await file.async('text')])
  assert.deepEqual(Object.fromEntries(await Promise.all(held)), {
    'export.jsonl': '{}',
    'files/after-a.txt': 'hi',
    'files/there-a.txt': 'hi',
    'deleted.txt': 'before\nbetween\nmidway\nafter\n',
  })
})

async function* piecesOf(text: string) {
  yield Buffer.from(text)
}
