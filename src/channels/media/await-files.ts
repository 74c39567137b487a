import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { triesFirst } from '../../files/fetches/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { type Attachment, readAttachments } from '../../transcripts/attachments.ts'
import { selectAttachments } from '../../transcripts/messages/store.ts'
import { withFiles } from '../../turns/files/with-files.ts'
import type { StartedTurn } from '../../turns/turn.ts'

/** The longest wait for the files of a prompt. */
const LIMIT_MS = 20_000
const FIRST_LOOK_MS = 50
const LONGEST_PAUSE_MS = 1_000

/**
 * Waits until the sounds and pictures of a prompt are fetched, or could not be at the first try: only then can the agent
 * hear and see them.
 * @returns the turn with the files that are there
 */
export async function awaitFiles(
  db: Kysely<Tables>,
  turn: StartedTurn,
  signal: AbortSignal,
): Promise<StartedTurn> {
  const before = await filesOf(db, turn)
  const ids = before.flatMap((files) => (files ?? []).flatMap((file) => (isAwaited(file) ? file.id : [])))
  const end = performance.now() + LIMIT_MS
  for (let pause = FIRST_LOOK_MS; performance.now() < end && !signal.aborted; pause *= 2) {
    if (ids.length === 0 || !(await triesFirst(db, ids))) break
    // An abort only ends the wait: the code that aborted ends the turn.
    await wait(Math.min(pause, LONGEST_PAUSE_MS), undefined, { signal }).catch(() => {})
  }
  const attachments = ids.length === 0 ? before : await filesOf(db, turn)
  const messages = turn.messages.map((message, at) => ({
    ...message,
    content: withFiles(message.content, attachments[at] ?? null),
  }))
  return { ...turn, messages, attachments }
}

async function filesOf(db: Kysely<Tables>, { messageIds }: StartedTurn): Promise<(Attachment[] | null)[]> {
  const rows = await selectAttachments(db, messageIds)
  const found = new Map(rows.map(({ id, attachments }) => [id, readAttachments(attachments)]))
  return messageIds.map((id) => found.get(id) ?? null)
}

function isAwaited({ kind, state }: Attachment): boolean {
  return state === 'fetching' && kind !== 'file' && kind !== 'video'
}
