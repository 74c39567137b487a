import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import { BytesGone, beginReading, type FilePlace } from './places/file-place.ts'
import { selectPlaced } from './store.ts'

/** Begins to read a stored file of a message. @throws BytesGone if it was erased since the message was read */
export async function readStored(
  db: Kysely<Tables>,
  places: FilePlace,
  { id, bytes }: { id: string; bytes: number },
): Promise<AsyncIterable<Uint8Array>> {
  const file = await selectPlaced(db, id)
  if (!file) throw new BytesGone()
  return beginReading(places.read(file, 'kept', 0, bytes))
}
