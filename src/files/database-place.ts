import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { BytesGone, type FilePlace, type NamedPart } from './file-place.ts'
import { inPieces } from './in-pieces.ts'
import type { FilePart } from './tables.ts'

/** The size of a piece, small enough that a transaction which writes one keeps nobody waiting. */
const PIECE_BYTES = 128 * 1024
/** The most pieces that one transaction removes. */
const REMOVED_AT_ONCE = 8

interface PlaceInFile {
  agent_id: number
  file_id: string
  part: FilePart
  position: number
}

/** Selects the piece that holds the byte at a position: the last one that begins there or earlier. */
const selectPiece = prepared((db, param: ParamOf<PlaceInFile>) =>
  db
    .selectFrom('file_pieces')
    .select(['position', 'bytes'])
    .where('agent_id', '=', param('agent_id'))
    .where('file_id', '=', param('file_id'))
    .where('part', '=', param('part'))
    .where('position', '<=', param('position'))
    .orderBy('position', 'desc')
    .limit(1),
)

/** Returns the place that keeps files in the database, in pieces that are written and read one at a time. */
export function databasePlace(db: Kysely<Tables>): FilePlace {
  const rowOf = ({ agentId, fileId, part }: NamedPart) => ({ agent_id: agentId, file_id: fileId, part })
  return {
    async write(named, bytes) {
      let position = 0
      for await (const piece of inPieces(bytes, PIECE_BYTES)) {
        await db
          .insertInto('file_pieces')
          .values({ ...rowOf(named), position, bytes: piece })
          .execute()
        position += piece.length
      }
      return position
    },
    async *read(named, from, to) {
      for (let at = from; at < to; ) {
        const [piece] = await selectPiece(db, { ...rowOf(named), position: at })
        const bytes = piece?.bytes.subarray(at - Number(piece.position), to - Number(piece.position))
        if (!bytes?.length) throw new BytesGone()
        yield bytes
        at += bytes.length
      }
    },
    async remove(named) {
      const { agent_id, file_id, part } = rowOf(named)
      for (;;) {
        const some = await db
          .selectFrom('file_pieces')
          .select('position')
          .where('agent_id', '=', agent_id)
          .where('file_id', '=', file_id)
          .where('part', '=', part)
          .orderBy('position')
          .limit(REMOVED_AT_ONCE)
          .execute()
        if (some.length === 0) return
        const positions = some.map(({ position }) => position)
        await db
          .deleteFrom('file_pieces')
          .where('agent_id', '=', agent_id)
          .where('file_id', '=', file_id)
          .where('part', '=', part)
          .where('position', 'in', positions)
          .execute()
      }
    },
  }
}
