import type { Kysely } from 'kysely'
import { namesOfGroups } from '../../groups/store.ts'
import { selectChannelNames } from '../../mailboxes/channel-store.ts'
import { namesOfOperators } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import type { breakdowns } from './read-support.ts'

/** Returns the names of people, groups or channels by their ids as text. Deleted ones are missing. */
export async function namesOfValues(
  db: Kysely<Tables>,
  agentId: number,
  by: (typeof breakdowns)[number],
  values: readonly string[],
): Promise<Map<string, string | null>> {
  const ids = [...new Set(values)].filter((value) => value !== '').map(Number)
  const byText = (names: Iterable<readonly [number, string | null]>) =>
    new Map([...names].map(([id, name]) => [String(id), name]))
  switch (by) {
    case 'operator':
      return byText(await namesOfOperators(db, ids))
    case 'group':
      return byText([...(await namesOfGroups(db, ids))].map(([id, { name }]) => [id, name] as const))
    case 'channel':
      return byText(
        (await selectChannelNames(db, agentId, ids)).map(({ id, kind, name }) => [id, name ?? kind] as const),
      )
    default:
      return new Map()
  }
}
