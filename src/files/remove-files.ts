import type { Kysely } from 'kysely'
import type { Tables } from '../storage/tables.ts'
import type { WrittenRow } from '../texts/written-row.ts'
import { readAttachments } from '../transcripts/attachments.ts'
import type { FilePlace, PlacedFile } from './places/file-place.ts'
import { deleteFile, giveUpFiles, selectFilesOf, takeGivenUp } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  places: FilePlace
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
 * gives files up: removing bytes takes long, and a transaction would keep others waiting. What fails is tried again by the
 * next call.
 * @param agentId null: those of all agents
 */
export async function removeGivenUp(
  dependencies: Dependencies,
  agentId: number | null,
  now: string,
  signal?: AbortSignal,
): Promise<void> {
  await removeWhile(dependencies, (except) => takeGivenUp(dependencies.db, agentId, now, except), signal)
}

/** Removes all files of an agent, and returns their number. @param counted called with the numbers of those removed */
export async function removeFilesOf(
  dependencies: Dependencies,
  agentId: number,
  counted: (removed: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<number> {
  return removeWhile(
    dependencies,
    (except) => selectFilesOf(dependencies.db, agentId, except),
    signal,
    counted,
  )
}

/** Removes files until none is left but those of a place that fails. @throws the failure of a place, at the end */
async function removeWhile(
  { db, places }: Dependencies,
  next: (except: readonly (string | null)[]) => Promise<PlacedFile[]>,
  signal: AbortSignal | undefined,
  counted: (removed: number) => Promise<void> = async () => {},
): Promise<number> {
  const failures = new Map<string | null, unknown>()
  for (let removed = 0, before = 0; ; before = removed) {
    const files = await next([...failures.keys()])
    if (files.length === 0) {
      for (const failure of failures.values()) throw failure
      return removed
    }
    for (const file of files) {
      if (signal?.aborted) break
      if (failures.has(file.place)) continue
      try {
        await places.remove(file)
      } catch (error) {
        failures.set(file.place, error)
        continue
      }
      // The row goes last: until the bytes are gone, it is found again.
      await deleteFile(db, file.id)
      removed++
    }
    if (removed > before) await counted(removed - before)
    if (signal?.aborted) return removed
  }
}
