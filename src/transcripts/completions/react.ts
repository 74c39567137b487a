import type { Kysely } from 'kysely'
import { invalidField } from '../../errors.ts'
import type { EventKey } from '../../events/keys.ts'
import { raise } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../tables.ts'
import type { Cta } from './cta.ts'
import { lockCompletion } from './lock-completion.ts'
import { flag, updateCompletion } from './store.ts'

type Db = Kysely<Tables>

/** Sets, changes or (null) takes back a like. Setting what is set already raises no event. */
export async function likeCompletion(db: Db, row: CompletionRow, liked: boolean | null, now: string) {
  const value = liked === null ? null : flag(liked)
  return react(db, row, now, { liked: value }, (before) =>
    before.liked === value
      ? null
      : { key: 'response_like', data: { liked, was: before.liked === null ? null : before.liked === 1 } },
  )
}

/** Flags a completion, or takes a flag and its reason back. */
export async function flagCompletion(
  db: Db,
  row: CompletionRow,
  flagged: boolean,
  reason: string | null,
  now: string,
) {
  const flag_reason = flagged ? reason : null
  const values = { flagged: flag(flagged), flag_reason, ...unredacted(flag_reason) }
  return react(db, row, now, values, (before) =>
    before.flagged === values.flagged && before.flag_reason === values.flag_reason
      ? null
      : { key: 'response_flag', data: { flagged, was: before.flagged === 1 } },
  )
}

/** Stores feedback text and a score; the last one given counts. */
export async function giveFeedback(
  db: Db,
  row: CompletionRow,
  feedback: string,
  score: number | null,
  now: string,
) {
  const values = { feedback, score, ...unredacted(feedback) }
  return react(db, row, now, values, () => ({ key: 'response_feedback', data: { score } }))
}

/** Reports a click on something a response showed. @throws ApiError invalid_request for a CTA that it did not show */
export async function recordClick(
  db: Db,
  row: CompletionRow,
  kind: 'referral' | 'cta' | 'attribution' | 'footer',
  target: string,
  now: string,
): Promise<void> {
  const cta = kind === 'cta' ? shownCta(row, target) : undefined
  if (kind === 'cta' && !cta) throw invalidField('target', 'is no CTA that this completion showed')
  const data = { target, ...(cta ? { cta: { id: cta.id, name: cta.name, content: cta.content } } : {}) }
  await react(db, row, now, { redacted: null }, () => ({ key: `${kind}_click`, data }))
}

/** The call to action that was clicked, told by its id or its address, as it was shown. */
function shownCta({ ctas }: CompletionRow, target: string): Cta | undefined {
  const shown = ctas === null ? [] : (JSON.parse(ctas) as Cta[])
  return shown.find(({ id, url }) => String(id) === target || url === target)
}

/**
 * Stores a reaction, and raises what it makes of the completion as it was before: those that come at once are told one
 * after the other.
 */
async function react(
  db: Db,
  { id }: CompletionRow,
  now: string,
  values: Parameters<typeof updateCompletion>[2],
  tell: (before: CompletionRow) => { key: EventKey; data: Record<string, unknown> } | null,
): Promise<CompletionRow> {
  return db.transaction().execute(async (db) => {
    const told = tell(await lockCompletion(db, id))
    const updated = await updateCompletion(db, id, values)
    if (told) await raise(db, { ...context(updated, now), ...told })
    return updated
  })
}

/** New text on a redacted completion waits for the next redaction. */
function unredacted(text: string | null): { redacted?: null } {
  return text ? { redacted: null } : {}
}

function context(row: CompletionRow, occurred_at: string) {
  return {
    agent_id: row.agent_id,
    occurred_at,
    conversation_id: row.conversation_id,
    completion_id: row.id,
  }
}
