import { Readable } from 'node:stream'
import { ApiError } from '../errors.ts'
import { HOUR_MS, timestamp } from '../lib/clock.ts'
import { uuidv7 } from '../lib/ids.ts'
import type { DataOfPart } from '../model/file-parts.ts'
import { type Attachment, nothingSaid } from '../transcripts/attachments.ts'
import { isPicture, kindOfType, SAMPLE_BYTES, typeOfBytes } from './file-type.ts'
import { type FileDependencies, storedName } from './keep-file.ts'
import { pictureSize } from './picture-for-model.ts'
import { describeFile, insertFile, NO_CONVERSATION } from './store.ts'

/** The time after which data whose prompt was not stored is deleted. */
const UNSENT_MS = HOUR_MS

/** Stores the data of a part of a prompt, as it was sent, until the message of the prompt takes it. */
export async function keepData(
  { db, clock, places }: FileDependencies,
  agentId: number,
  { bytes, form, name }: DataOfPart,
): Promise<Attachment> {
  const id = uuidv7(clock())
  const remove_at = timestamp(clock() + UNSENT_MS)
  const file = { id, agent_id: agentId, place: places.current }
  await insertFile(db, { ...file, conversation_id: NO_CONVERSATION, remove_at, form: JSON.stringify(form) })
  await places.write(file, 'kept', Readable.from([bytes]))
  const type = await typeOfBytes(bytes.subarray(0, SAMPLE_BYTES))
  const size = isPicture(type) ? await pictureSize(bytes) : null
  const attachment: Attachment = {
    id,
    kind: KINDS[form.type] ?? kindOfType(type),
    name: storedName(name ?? ''),
    type,
    bytes: bytes.length,
    width: size?.width ?? null,
    height: size?.height ?? null,
    ...nothingSaid,
    state: 'stored',
  }
  if (await describeFile(db, attachment, null, remove_at)) return attachment
  // Its row was removed while the bytes were written: nobody else would find these.
  await places.remove(file)
  throw new ApiError('unavailable')
}

const KINDS: Partial<Record<DataOfPart['form']['type'], Attachment['kind']>> = {
  image_url: 'image',
  input_audio: 'voice',
}
