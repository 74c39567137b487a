import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { beginReading, type FilePlace } from './places/file-place.ts'
import { placeOfFile } from './store.ts'

/** Begins to read a stored file of a message. @throws BytesGone if it was erased since the message was read */
export async function readStored(
  db: Kysely<Tables>,
  places: FilePlace,
  { id, agent_id, bytes }: { id: string; agent_id: number; bytes: number },
): Promise<AsyncIterable<Uint8Array>> {
  const file = { id, agent_id, place: await placeOfFile(db, id) }
  return beginReading(places.read(file, 'kept', 0, bytes))
}
