import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { invalidField } from '../../errors.ts'
import type { EventWithData } from '../../events/event-data.ts'
import { raise } from '../../events/raise.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Cta } from '../citations-and-ctas.ts'
import { byUser } from '../conversations/happenings.ts'
import type { Lessons } from '../conversations/lessons.ts'
import { lockConversation } from '../conversations/store.ts'
import { waitForPerson } from '../conversations/wait-for-person.ts'
import type { CompletionRow } from '../tables.ts'
import { lockCompletion } from './lock-completion.ts'
import type { clickBody, feedbackBody, flagBody, likeBody } from './schemas.ts'
import { flag, updateCompletion } from './store.ts'

type Db = Kysely<Tables>

/** Sets, changes or takes back (null) a like. Raises no event if nothing changes. */
export async function likeCompletion(
  db: Db,
  { disliked }: Pick<Lessons, 'disliked'>,
  row: CompletionRow,
  { liked }: z.output<typeof likeBody>,
  now: string,
) {
  const value = liked === null ? null : flag(liked)
  return db.transaction().execute(async (db) => {
    // Locks the conversation first, as everything else does that calls the functions of `Lessons`.
    await lockConversation(db, row.conversation_id)
    return reactWithin(db, row, now, { liked: value }, async (before) => {
      if (before.liked === value) return null
      if (liked === false || before.liked === 0) await disliked(db, before, liked === false)
      return { key: 'response_like', data: { liked, was: before.liked === null ? null : before.liked === 1 } }
    })
  })
}

/** Flags a completion, so that its conversation waits for a person; or takes the flag and its reason back. */
export async function flagCompletion(
  db: Db,
  row: CompletionRow,
  { flagged, reason = null }: z.output<typeof flagBody>,
  now: string,
) {
  const flag_reason = flagged ? reason : null
  const values = { flagged: flag(flagged), flag_reason, ...unredacted(flag_reason) }
  return db.transaction().execute(async (db) => {
    await lockConversation(db, row.conversation_id)
    return reactWithin(db, row, now, values, async (before) => {
      if (before.flagged === values.flagged && before.flag_reason === values.flag_reason) return null
      if (flagged && before.flagged === 0)
        await waitForPerson(db, row.conversation_id, 'flagged', now, byUser)
      return { key: 'response_flag', data: { flagged, was: before.flagged === 1 } }
    })
  })
}

/** Stores feedback, a text and a score, in place of earlier feedback. */
export async function giveFeedback(
  db: Db,
  row: CompletionRow,
  { feedback, score = null }: z.output<typeof feedbackBody>,
  now: string,
) {
  const values = { feedback, score, ...unredacted(feedback) }
  return react(db, row, now, values, () => ({ key: 'response_feedback', data: { score } }))
}

/** Raises the event of a click. @throws ApiError invalid_request for a CTA that the response did not show */
export async function recordClick(
  db: Db,
  row: CompletionRow,
  { kind, target }: z.output<typeof clickBody>,
  now: string,
): Promise<void> {
  const cta = kind === 'cta' ? shownCta(row, target) : undefined
  if (kind === 'cta' && !cta) throw invalidField('target', 'is no CTA that this completion showed')
  const data = { target, ...(cta ? { cta: { id: cta.id, name: cta.name, content: cta.content } } : {}) }
  await react(db, row, now, { redacted: null }, () => ({ key: `${kind}_click`, data }))
}

/** Counts the press of a button that shows a call to action, within a transaction. */
export async function recordCtaPress(
  db: Db,
  row: CompletionRow,
  ctaId: string,
  now: string,
): Promise<string | null> {
  const cta = shownCta(row, ctaId)
  if (!cta) return null
  const { id, name, content, button } = cta
  const data = { target: ctaId, cta: { id, name, content } }
  await reactWithin(db, row, now, { redacted: null }, async () => ({ key: 'cta_click', data }))
  return button
}

/**
 * Returns the call to action that was clicked, as it was shown.
 * @param target its id or its URL
 */
function shownCta({ ctas }: CompletionRow, target: string): Cta | undefined {
  const shown = ctas === null ? [] : (JSON.parse(ctas) as Cta[])
  return shown.find(({ id, url }) => String(id) === target || url === target)
}

/**
 * Stores a reaction and raises its event. Locks the completion, so that simultaneous reactions follow each other.
 * @param eventOf makes the event from the completion as it was before; null: there is none
 */
async function react(
  db: Db,
  row: CompletionRow,
  now: string,
  values: Parameters<typeof updateCompletion>[2],
  eventOf: (before: CompletionRow) => EventWithData | null,
): Promise<CompletionRow> {
  return db
    .transaction()
    .execute((db) => reactWithin(db, row, now, values, async (before) => eventOf(before)))
}

/** Stores a reaction and raises its event, within a transaction. */
async function reactWithin(
  db: Db,
  { id }: CompletionRow,
  now: string,
  values: Parameters<typeof updateCompletion>[2],
  eventOf: (before: CompletionRow) => Promise<EventWithData | null>,
): Promise<CompletionRow> {
  const event = await eventOf(await lockCompletion(db, id))
  const updated = await updateCompletion(db, id, values)
  if (event) await raise(db, { ...context(updated, now), ...event })
  return updated
}

/** Returns the values that let a redacted completion be redacted again, because it gets a new text. */
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
