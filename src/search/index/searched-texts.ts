import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'

export const MESSAGES = 1
export const NOTES = 2

/** The kinds of texts that a search covers. */
export type SearchKind = typeof MESSAGES | typeof NOTES

export const KINDS: readonly SearchKind[] = [MESSAGES, NOTES]

/** A text as the index reads it. */
export interface SearchedText {
  /** The id of the message or note. */
  id: number
  /** The time at which it was written. */
  at: string
  /** All the text by which it is found. */
  text: string
  /** The channel its conversation came through. */
  channelId: number | null
}

/** Reads texts for the index, from the folder that owns them. */
export interface SearchedTexts {
  /** Reads an agent's texts with these ids, in any order; ids of others are left out. */
  read(db: Kysely<Tables>, agentId: number, kind: SearchKind, ids: readonly number[]): Promise<SearchedText[]>
  /** Lists the ids of texts above one id and up to another. */
  list(
    db: Kysely<Tables>,
    kind: SearchKind,
    above: number,
    upTo: number,
  ): Promise<{ agent_id: number; id: number }[]>
}
