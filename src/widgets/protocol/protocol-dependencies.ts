import type { Kysely } from 'kysely'
import type { FilePlaces } from '../../files/places/file-place.ts'
import type { BeginUpload } from '../../http/uploads-at-once.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import type { Hub } from '../../live/hub.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PromptDependencies } from '../../turns/requests/answer-prompt.ts'

/** The dependencies of what pages with a widget ask for. */
export interface ProtocolDependencies extends PromptDependencies {
  db: Kysely<Tables>
  engine: PromptDependencies['engine'] & Pick<Engine, 'settledUpTo'>
  box: SecretBox
  clock: Clock
  hub: Hub
  /** The places of the bytes of files. */
  places: FilePlaces
  beginUpload: BeginUpload
  /** The most bytes of a file of a message. */
  fileLimit: number
  /** The address at which people reach this service; null: it is not set, so that links in mails lead nowhere. */
  publicUrl: string | null
  tokenKey: string
  /** The key of the hashes by which the files of a visitor are found. */
  visitorKey: string
}
