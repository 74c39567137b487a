import assert from 'node:assert/strict'
import { it } from 'node:test'
import { entriesOfExport } from '../../../src/exports/export-files.ts'
import type { ExportedRow } from '../../../src/exports/export-rows.ts'
import { BytesGone, type FilePlace } from '../../../src/files/file-place.ts'

it('an archive leaves out a file that was erased after its message was read', async () => {
  const attachments = JSON.stringify(
    ['erased', 'there'].map((id) => ({
      id,
      kind: 'file',
      name: 'a.txt',
      type: 'text/plain',
      bytes: 2,
      state: 'stored',
    })),
  )
  const page = [{ type: 'message', row: { agent_id: 1, attachments } }] as unknown as ExportedRow[]
  const place: Pick<FilePlace, 'read'> = {
    async *read({ fileId }) {
      if (fileId === 'erased') throw new BytesGone()
      yield Buffer.from('h')
      yield Buffer.from('i')
    },
  }
  const held: Record<string, string> = {}
  const text = { name: 'export.jsonl', pieces: piecesOf('{}') }
  const pages = (async function* () {
    yield page
  })()
  for await (const { name, pieces } of entriesOfExport(text, pages, place as FilePlace))
    held[name] = (await Array.fromAsync(pieces)).map(String).join('')
  assert.deepEqual(held, { 'export.jsonl': '{}', 'files/there-a.txt': 'hi' })
})

async function* piecesOf(text: string) {
  yield Buffer.from(text)
}
