import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { DataOfPart } from '../model/file-parts.ts'
import type { Attachment } from '../transcripts/attachments.ts'
import { keepData } from './keep-data.ts'
import type { FileDependencies } from './keep-file.ts'
import { type ReadData, readSound, readsData } from './read-data.ts'
import { giveUpUnsent } from './store.ts'

/** The files of turns. */
export interface FilesOfTurns {
  /** Stores the data of a part of a prompt until the prompt is stored. @throws ApiError body_too_large */
  keep(agentId: number, data: DataOfPart): Promise<Attachment>
  /** Removes those of some files that no message has taken. */
  giveUpUnsent(ids: readonly string[]): Promise<void>
  read: ReadData
  /** Reads the bytes of a sound; null if they are gone. */
  readSound(agent: { id: number }, file: { id: string; bytes: number }): Promise<Buffer | null>
}

export function filesOfTurns(
  dependencies: FileDependencies & { /** Bytes. */ fileLimit: number },
): FilesOfTurns {
  const { db, clock, fileLimit } = dependencies
  return {
    async keep(agentId, data) {
      if (data.bytes.length > fileLimit) throw new ApiError('body_too_large')
      return keepData(dependencies, agentId, data)
    },
    giveUpUnsent: (ids) => giveUpUnsent(db, ids, timestamp(clock())),
    read: readsData(dependencies),
    readSound: ({ id }, file) => readSound(dependencies, id, file),
  }
}
