import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { WrittenRow } from '../texts/written-row.ts'
import { readAttachments } from '../transcripts/attachments.ts'
import { type FilePlace, removeParts } from './file-place.ts'
import { deleteFile, giveUpFiles, selectFilesOf, takeGivenUp } from './store.ts'
import type { FileRow } from './tables.ts'

interface Dependencies {
  db: Kysely<Tables>
  place: FilePlace
}

/**
 * Gives up the files that messages lost when their rows were overwritten, within the same transaction. `removeGivenUp`
 * then removes their bytes. Returns the number of files.
 */
export async function giveUpLost(
  db: Kysely<Tables>,
  written: readonly WrittenRow[],
  now: string,
): Promise<number> {
  const lost = written.flatMap(({ table, before, after }) => {
    if (table !== 'messages') return []
    const kept = new Set(storedIn(after.attachments))
    return storedIn(before.attachments).filter((id) => !kept.has(id))
  })
  return giveUpFiles(db, lost, now)
}

/** Counts the files that rows of messages still have. */
export function filesKept(written: readonly WrittenRow[]): number {
  return written.flatMap(({ table, after }) => (table === 'messages' ? storedIn(after.attachments) : []))
    .length
}

/** Returns the ids of the files that a message has. @param attachments its column */
function storedIn(attachments: string | null | undefined): string[] {
  const files = readAttachments(attachments ?? null) ?? []
  return files.flatMap(({ id, state }) => (state === 'deleted' ? [] : id))
}

/**
 * Removes the bytes of files that were given up, and of uploads that nobody sent. Call it after the transaction that
 * gives files up: removing bytes takes long, and a transaction would keep others waiting.
 * @param agentId null: those of all agents
 */
export async function removeGivenUp(
  dependencies: Dependencies,
  agentId: number | null,
  now: string,
  signal?: AbortSignal,
): Promise<void> {
  await removeWhile(dependencies, () => takeGivenUp(dependencies.db, agentId, now), signal)
}

/** Removes all files of an agent. */
export async function removeFilesOf(
  dependencies: Dependencies,
  agentId: number,
  signal?: AbortSignal,
): Promise<number> {
  return removeWhile(dependencies, () => selectFilesOf(dependencies.db, agentId), signal)
}

async function removeWhile(
  { db, place }: Dependencies,
  next: () => Promise<Pick<FileRow, 'id' | 'agent_id'>[]>,
  signal: AbortSignal | undefined,
): Promise<number> {
  for (let removed = 0; ; ) {
    const files = await next()
    if (files.length === 0) return removed
    for (const { id, agent_id } of files) {
      if (signal?.aborted) return removed
      await removeParts(place, { agentId: agent_id, fileId: id })
      // The row goes last: until the bytes are gone, it is found again.
      await deleteFile(db, id)
      removed++
    }
  }
}
