import type { Generated } from 'kysely'
import type { SearchKind } from './index/searched-texts.ts'

/** Texts that are not indexed yet. A database trigger queues them together with the rows that hold them. */
export interface SearchPendingTable {
  agent_id: number
  kind: SearchKind
  /** The id of the message or note. */
  id: number
  /** The number of times the text was replaced while it waited. */
  version: Generated<number>
}

/** Blocks of an agent's index, with up to a few thousand texts each. */
export interface SearchBlocksTable {
  id: Generated<number>
  agent_id: number
  kind: SearchKind
  /** The block with the highest number holds the newest texts. */
  number: number
}

/** The texts of a block that were indexed together. */
export interface SearchPartsTable {
  block_id: number
  part: number
  agent_id: number
  kind: SearchKind
  /** The ids of its texts, as `writeIds` writes them. Postings refer to texts by their place in this list. */
  ids: Uint8Array
  texts: number
  least_id: number
  most_id: number
  /** The period in which its texts were written. */
  from_at: string
  to_at: string
}

/** The index: an entry for each word and part, with the texts that contain the word. */
export interface SearchWordsTable {
  block_id: number
  word: string
  part: number
  /** The postings, as `writePostings` writes them. */
  postings: Uint8Array
}

/** The progress of the backfill of messages and notes that are older than the index. */
export interface SearchBackfillTable {
  kind: SearchKind
  /** Texts with ids up to this one are older than the index. */
  until_id: number
  /** The backfill continues downwards from this id; 0 when it is done. */
  next_id: number
}

declare module '../storage/tables.ts' {
  interface Tables {
    search_pending: SearchPendingTable
    search_blocks: SearchBlocksTable
    search_parts: SearchPartsTable
    search_words: SearchWordsTable
    search_backfill: SearchBackfillTable
  }
}
