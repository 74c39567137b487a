import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepBytes } from '../../../src/files/keep-bytes.ts'
import type { FilePlace } from '../../../src/files/places/file-place.ts'

const HEIC = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypheic0000mif1heic'),
  Buffer.alloc(1e4),
])
const FILE = { id: 'f', agent_id: 1, place: null }

/** Keeps bytes that never end, in a place whose store is away. Returns the error, and whether their source was left. */
async function keepEndless(beginning: Uint8Array) {
  let isLeft = false
  async function* endless() {
    try {
      for (;;) yield beginning
    } finally {
      isLeft = true
    }
  }
  const away = async () => {
    throw new Error('away')
  }
  const place: FilePlace = { write: away, read: endless, remove: away }
  const failure = await keepBytes(place, FILE, 1, endless()).then(
    () => '',
    (error: Error) => error.message,
  )
  return { failure, isLeft }
}

it('the source of a file that is refused is left, so that its connection ends', async () => {
  const { failure, isLeft } = await keepEndless(HEIC)
  assert.match(failure, /of a kind that is not read/)
  assert.ok(isLeft)
})

it('so is that of a file whose place fails before it reads any', async () => {
  assert.deepEqual(await keepEndless(Buffer.from('a text\n'.repeat(1000))), { failure: 'away', isLeft: true })
})
