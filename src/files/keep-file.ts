import type { Kysely } from 'kysely'
import { ApiError, invalidField } from '../errors.ts'
import { type Clock, HOUR_MS, timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import { plainFileName } from '../lib/plain-file-name.ts'
import type { Tables } from '../storage/tables.ts'
import { type Attachment, nothingSaid } from '../transcripts/attachments.ts'
import { isPicture, kindOfType } from './file-type.ts'
import { keepBytes } from './keep-bytes.ts'
import type { FilePlaces } from './places/file-place.ts'
import { describeFile, giveUpFiles, insertFile } from './store.ts'

/** The time after which a file that nobody has sent is deleted. */
const UNSENT_MS = 24 * HOUR_MS
/** The same for a file of a visitor: anybody may upload one, and sends it at once. */
const UNSENT_OF_VISITOR_MS = HOUR_MS
const LONGEST_NAME = 200

export interface FileDependencies {
  db: Kysely<Tables>
  clock: Clock
  places: FilePlaces
}

/** The owner of a new file. */
interface Owner {
  agentId: number
  teamId: number
  /** NO_CONVERSATION for a file of a visitor, or for a person who has none yet. */
  conversationId: string
  /** A keyed hash of the visitor. */
  visitor?: string
  /** True if only pictures are taken. */
  onlyPictures?: boolean
}

/** Returns a function that stores a file which somebody uploads for a message. */
export function keepsFiles({ db, clock, places }: FileDependencies) {
  /**
   * Stores a file while its bytes arrive.
   * @param name the name that its sender gave it
   * @throws ApiError invalid_request for an empty file or a picture that cannot be read
   */
  return async (owner: Owner, name: string, bytes: AsyncIterable<Uint8Array>): Promise<Attachment> => {
    const { agentId: agent_id, teamId, conversationId: conversation_id, visitor = null } = owner
    const id = uuidv7(clock())
    const file = { id, agent_id, place: places.current }
    // The row comes before the bytes: by it, the bytes are found and removed if this process dies.
    await insertFile(db, { ...file, conversation_id, visitor, remove_at: timestamp(clock() + HOUR_MS) })
    try {
      const kept = await keepBytes(places, file, teamId, bytes)
      if (owner.onlyPictures && !isPicture(kept.type)) throw invalidField('file', 'is no picture')
      const attachment = {
        id,
        kind: kindOfType(kept.type),
        name: storedName(name),
        type: kept.type,
        bytes: kept.bytes,
        width: kept.width,
        height: kept.height,
        ...nothingSaid,
        state: 'stored' as const,
      }
      const removeAt = timestamp(clock() + (visitor === null ? UNSENT_MS : UNSENT_OF_VISITOR_MS))
      if (await describeFile(db, attachment, kept.previewBytes, removeAt)) return attachment
      throw new ApiError('unavailable')
    } catch (error) {
      const isKnown = (await giveUpFiles(db, [id], timestamp(clock()))) === 1
      // Its row was removed while bytes still arrived: nobody else would find these.
      if (!isKnown) await places.remove(file)
      throw error
    }
  }
}

/** Returns a file's name without its folders; null if nothing is left of it. */
export function storedName(name: string): string | null {
  return plainFileName(name).slice(-LONGEST_NAME).toWellFormed() || null
}
