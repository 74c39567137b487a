import type { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import type { TeamHttp } from '../../lib/outbound/outbound.ts'
import { parseS3Address } from '../../lib/s3-address.ts'
import type { Tables } from '../../storage/tables.ts'
import { databasePlace } from './database-place.ts'
import { type FilePlace, type FilePlaces, StoreFailed } from './file-place.ts'
import { s3Client } from './s3-client.ts'
import { s3Place } from './s3-place.ts'

/** The most files that are written to the database at once: each takes a few hundred kilobytes of memory. */
const TO_DATABASE = 64
/** The most that are written to a store: each takes up to ten megabytes. */
const TO_STORE = 32

/**
 * Returns the places of files: the one that the settings name for new files, and those that rows of older ones name.
 * @param http the client for calls of the operator's own
 */
export function openPlaces(
  db: Kysely<Tables>,
  { url, key, secret }: Config['files'],
  http: TeamHttp,
): FilePlaces {
  const inDatabase = databasePlace(db)
  const stores = new Map<string, FilePlace>()
  return {
    current: url,
    mostWrites: url === null ? TO_DATABASE : TO_STORE,
    write: async (file, ...rest) => placeAt(file.place).write(file, ...rest),
    read: (file, ...rest) => placeAt(file.place).read(file, ...rest),
    remove: async (file, part) => placeAt(file.place).remove(file, part),
  }

  function placeAt(place: string | null): FilePlace {
    if (place === null) return inDatabase
    if (key === null || secret === null)
      throw new StoreFailed('is needed, but PARLEY_FILES_KEY and PARLEY_FILES_SECRET are not set')
    let store = stores.get(place)
    if (!store) {
      const address = parseS3Address(place)
      store = s3Place(address, s3Client(address, { key, secret }, http))
      stores.set(place, store)
    }
    return store
  }
}
