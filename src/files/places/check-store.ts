import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type FilePlaces, StoreFailed } from './file-place.ts'

/**
 * Writes a small file to the place of new files, reads it and removes it.
 * @throws an error that says in a sentence what does not work
 */
export async function checkStore(places: FilePlaces): Promise<void> {
  const file = { id: `check-${randomUUID()}`, agent_id: 0, place: places.current }
  const sent = Buffer.from('written by parley doctor')
  try {
    await places.write(file, 'kept', Readable.from([sent]))
    const read = Buffer.concat(await Array.fromAsync(places.read(file, 'kept', 0, sent.length)))
    await places.remove(file)
    if (!read.equals(sent)) throw new Error('the store of files answers with other bytes than were written')
  } catch (error) {
    throw error instanceof StoreFailed ? new Error(error.forOperator, { cause: error }) : error
  }
}
