import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import type { FilePart } from '../tables.ts'
import { BytesGone, type FilePlace, type PlacedFile } from './file-place.ts'
import { inPieces } from './in-pieces.ts'

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
  const rowOf = ({ agent_id, id }: PlacedFile, part: FilePart) => ({ agent_id, file_id: id, part })
  return {
    async write(file, part, bytes) {
      let position = 0
      for await (const piece of inPieces(bytes, PIECE_BYTES)) {
        await db
          .insertInto('file_pieces')
          .values({ ...rowOf(file, part), position, bytes: piece })
          .execute()
        position += piece.length
      }
      return position
    },
    async *read(file, part, from, to) {
      for (let at = from; at < to; ) {
        const [piece] = await selectPiece(db, { ...rowOf(file, part), position: at })
        const bytes = piece?.bytes.subarray(at - Number(piece.position), to - Number(piece.position))
        if (!bytes?.length) throw new BytesGone()
        yield bytes
        at += bytes.length
      }
    },
    async remove({ agent_id, id }, part) {
      for (;;) {
        const ofFile = db.selectFrom('file_pieces').where('agent_id', '=', agent_id).where('file_id', '=', id)
        const some = await ofFile
          .select(['part', 'position'])
          .$if(part !== undefined, (query) => query.where('part', '=', part as FilePart))
          .orderBy('part')
          .orderBy('position')
          .limit(REMOVED_AT_ONCE)
          .execute()
        const [first] = some
        if (!first) return
        const positions = some.flatMap((piece) => (piece.part === first.part ? piece.position : []))
        await db
          .deleteFrom('file_pieces')
          .where('agent_id', '=', agent_id)
          .where('file_id', '=', id)
          .where('part', '=', first.part)
          .where('position', 'in', positions)
          .execute()
      }
    },
  }
}
