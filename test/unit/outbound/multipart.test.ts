import assert from 'node:assert/strict'
import { it } from 'node:test'
import { multipart } from '../../../src/lib/outbound/multipart.ts'

it('a form with a file is read as it was meant, whatever the name', async () => {
  const pieces = [Buffer.from('one '), Buffer.from('two')]
  const content = (async function* () {
    yield* pieces
  })()
  const name = 'a"\r\nx: y.txt'
  const { headers, body } = multipart(
    { type: 'text/plain', note: 'ü' },
    { field: 'attachments[]', name, type: 'text/plain', bytes: 7, content },
  )
  const bytes = Buffer.concat(await Array.fromAsync(body))
  assert.equal(headers['content-length'], String(bytes.length))
  const form = await new Response(bytes, { headers: { 'content-type': headers['content-type'] } }).formData()
  assert.deepEqual([form.get('type'), form.get('note')], ['text/plain', 'ü'])
  const file = form.get('attachments[]')
  assert.ok(file instanceof File)
  assert.deepEqual([file.name, file.type, await file.text()], [name, 'text/plain', 'one two'])
})
