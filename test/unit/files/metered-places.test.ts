import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BytesGone, beginReading, type FilePlaces } from '../../../src/files/places/file-place.ts'
import { meteredPlaces } from '../../../src/files/places/metered-places.ts'
import { ModelError } from '../../../src/model/model.ts'
import { meteredTranscriber } from '../../../src/usage/metered.ts'

const FILE = { id: 'f', agent_id: 1, place: null }

async function* bytes(...pieces: (string | Error)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece
    yield Buffer.from(piece)
  }
}

describe('metrics of files', () => {
  async function count(use: (places: FilePlaces) => Promise<unknown>, inPlace: Partial<FilePlaces> = {}) {
    const used: [string, string, string, number][] = []
    const places: FilePlaces = {
      ...{ current: null, mostWrites: 1 },
      write: async (_file, _part, bytes) => Buffer.concat(await Array.fromAsync(bytes)).length,
      read: () => bytes('one', 'two'),
      remove: async () => {},
      ...inPlace,
    }
    const metered = meteredPlaces(places, ({ operation, place, outcome, bytes, seconds }) => {
      assert.ok(seconds >= 0)
      used.push([operation, place, outcome, bytes])
    })
    await use(metered).catch(() => {})
    return used
  }
  const fails = async () => {
    throw new Error('away')
  }
  const read = ({ read }: FilePlaces) => Array.fromAsync(read(FILE, 'kept', 0, 6))

  it('each use is counted by operation, place and outcome', async () => {
    const write =
      (...said: (string | Error)[]) =>
      ({ write }: FilePlaces) =>
        write(FILE, 'kept', bytes(...said))
    assert.deepEqual(await count(write('one', 'two')), [['write', 'database', 'ok', 6]])
    assert.deepEqual(await count(write('one', new Error('hung up'))), [['write', 'database', 'left', 0]])
    assert.deepEqual(await count(write('one'), { write: fails }), [['write', 'database', 'failed', 0]])
    assert.deepEqual(await count(read), [['read', 'database', 'ok', 6]])
    const gone = { read: () => bytes('one', new BytesGone()) }
    assert.deepEqual(await count(read, gone), [['read', 'database', 'gone', 3]])
    const broken = { read: () => bytes(new Error('away')) }
    assert.deepEqual(await count(read, broken), [['read', 'database', 'failed', 0]])
    const leave = async ({ read }: FilePlaces) => {
      for await (const _ of read({ ...FILE, place: 's3://bucket' }, 'kept', 0, 6)) break
    }
    assert.deepEqual(await count(leave), [['read', 'store', 'left', 3]])
    const leaveBegun = async ({ read }: FilePlaces) => {
      for await (const _ of await beginReading(read(FILE, 'kept', 0, 6))) break
    }
    assert.deepEqual(await count(leaveBegun), [['read', 'database', 'left', 3]])
    assert.deepEqual(await count(({ remove }) => remove(FILE)), [['remove', 'database', 'ok', 0]])
    assert.deepEqual(await count(({ remove }) => remove(FILE), { remove: fails }), [
      ['remove', 'database', 'failed', 0],
    ])
  })

  it('calls of transcription servers are counted by outcome', async () => {
    const outcomes: string[] = []
    const { signal } = new AbortController()
    for (const transcribe of [
      async () => 'said',
      async () => {
        throw new ModelError('timeout', 'too slow')
      },
    ])
      await meteredTranscriber({ transcribe }, (outcome) => outcomes.push(outcome))
        .transcribe({ bytes: Buffer.of(), type: 'audio/ogg' }, signal)
        .catch(() => {})
    assert.deepEqual(outcomes, ['ok', 'timeout'])
  })
})
