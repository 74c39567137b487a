import type { Kysely } from 'kysely'
import type { MailboxItemRow, MailboxRow } from '../mailboxes/tables.ts'
import type { Tables } from '../storage/tables.ts'
import { recordCtaPress } from '../transcripts/completions/react.ts'
import { selectCompletionById } from '../transcripts/completions/store.ts'
import type { Channel } from './channel.ts'
import type { ChannelWork } from './channel-work.ts'

/** Returns the id of a button that shows a call to action of an answer. The shortest limit of a platform is 64 bytes. */
export function pressIdOf(completionId: string, ctaId: number): string {
  return `cta:${ctaId}:${completionId}`
}

/**
 * Counts a pressed button as a click on the call to action that it shows, within a transaction. Does nothing for a
 * button that Parley has not sent in this conversation.
 * @returns the words on the button; null: it is another one
 */
export async function recordPress(
  db: Kysely<Tables>,
  { agent_id, conversation_id }: Pick<MailboxRow, 'agent_id' | 'conversation_id'>,
  pressed: string,
  now: string,
): Promise<string | null> {
  const [, ctaId, completionId] = /^cta:(\d{1,15}):(\S+)$/.exec(pressed) ?? []
  if (ctaId === undefined || completionId === undefined) return null
  const [completion] = await selectCompletionById(db, { agent_id, id: completionId })
  if (completion?.conversation_id !== conversation_id) return null
  return recordCtaPress(db, completion, ctaId, now)
}

/** Tells the platform that the press of a button has arrived. Nothing waits for this, and a failure does not matter. */
export function acknowledgePress(
  { outbound }: Pick<ChannelWork, 'outbound'>,
  { platform, settings, teamId }: Channel,
  { source_id }: Pick<MailboxItemRow, 'source_id'>,
): void {
  if (source_id) platform.acknowledge?.(outbound.of(teamId), settings, source_id).catch(() => {})
}
