import type { Kysely } from 'kysely'
import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import type { PartForm } from '../model/file-parts.ts'
import type { PartFile } from '../model/model.ts'
import type { Tables } from '../storage/tables.ts'
import { isPicture } from './file-type.ts'
import { pictureForModel } from './picture-for-model.ts'
import { BytesGone, type FilePlaces, type PlacedFile } from './places/file-place.ts'
import { selectData } from './store.ts'

/** The data of a file as a model is sent it. */
interface SentData {
  form: PartForm
  base64: string
}

/** Reads the data of an agent's file for a model; null if the file is gone, or is none that models read. */
export type ReadData = (agent: { id: number; teamId: number }, file: PartFile) => Promise<SentData | null>

/**
 * Makes a function that reads the data of files for models: that of prompts as it was sent, and any other picture in a
 * form that all model servers read.
 */
export function readsData({ db, places }: { db: Kysely<Tables>; places: FilePlaces }): ReadData {
  const pictures = turnsByTeam(2)

  async function read({ id, teamId }: { id: number; teamId: number }, file: PartFile) {
    const data = await selectData(db, id, file.id)
    if (!data || (data.form === null && !isPicture(file.type))) return null
    const { form } = data
    // A picture that waits for its turn takes no memory.
    using _turn = form === null ? await pictures.take(teamId) : undefined
    const bytes = await readWhole(places, data, file.bytes)
    if (!bytes) return null
    if (form !== null) return { form, base64: bytes.toString('base64') }
    const picture = await pictureForModel(bytes, file.type)
    return {
      form: { type: 'image_url' as const, media: picture.media },
      base64: picture.bytes.toString('base64'),
    }
  }

  return read
}

/** Reads all bytes of a sound; null if they are gone. */
export async function readSound(
  { db, places }: { db: Kysely<Tables>; places: FilePlaces },
  agentId: number,
  { id, bytes }: { id: string; bytes: number },
): Promise<Buffer | null> {
  const data = await selectData(db, agentId, id)
  return data ? readWhole(places, data, bytes) : null
}

async function readWhole(places: FilePlaces, file: PlacedFile, size: number): Promise<Buffer | null> {
  try {
    return Buffer.concat(await Array.fromAsync(places.read(file, 'kept', 0, size)))
  } catch (error) {
    if (error instanceof BytesGone) return null
    throw error
  }
}
