import type { Kysely } from 'kysely'
import { openPlaces } from '../../src/files/places/open-places.ts'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import type { Tables } from '../../src/storage/tables.ts'

/** Returns the places of files of a service that keeps them in its database. */
export function placesInDatabase(db: Kysely<Tables>) {
  const http = createOutbound({ privateTargets: parsePrivateTargets('') }).of(null)
  return openPlaces(db, { url: null, key: null, secret: null }, http)
}
