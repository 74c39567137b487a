import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'

const selectTags = prepared((db, param: ParamOf<{ id: string }>) =>
  db.selectFrom('completions').select('tags').where('id', '=', param('id')),
)

const writeTags = prepared((db, param: ParamOf<{ id: string; tags: string }>) =>
  db
    .updateTable('completions')
    .set({ tags: param('tags') })
    .where('id', '=', param('id')),
)

/** Adds a tag to a completion, within a transaction. */
export async function tagCompletion(db: Kysely<Tables>, id: string, tag: string): Promise<void> {
  const [completion] = await selectTags(db, { id })
  if (!completion) throw new Error('a completion that is to be tagged does not exist')
  const tags = new Set([...(JSON.parse(completion.tags) as string[]), tag])
  await writeTags(db, { id, tags: JSON.stringify([...tags]) })
}
