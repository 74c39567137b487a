interface Options<Piece> {
  /** Asks to end before the next piece. */
  signal?: AbortSignal | undefined
  /** Told of each failure. Without it, the last failure is thrown once all other pieces are worked. */
  failed?: (piece: Piece, error: unknown) => void
}

/**
 * Works pieces one after the other. One that fails holds up no other.
 * @param work returns true if the piece is to have another turn, after all others
 */
export async function workEach<Piece>(
  pieces: Iterable<Piece>,
  work: (piece: Piece) => Promise<unknown>,
  { signal, failed }: Options<Piece> = {},
): Promise<void> {
  const failures: unknown[] = []
  for (let left = [...pieces]; left.length > 0; ) {
    const further: Piece[] = []
    for (const piece of left) {
      if (signal?.aborted) return
      try {
        if ((await work(piece)) === true) further.push(piece)
      } catch (error) {
        if (failed) failed(piece, error)
        else failures.push(error)
      }
    }
    left = further
  }
  if (failures.length > 0 && !signal?.aborted) throw failures.at(-1)
}

const AT_ONCE = 100

/**
 * Works pieces that are no longer selected once they are worked, until none is left. One that fails holds up no other.
 * @param select reads up to `limit` pieces
 * @param keyOf returns what tells a piece from all others
 * @throws the last failure, once all other pieces are worked
 */
export async function workAll<Piece>(
  select: (limit: number) => Promise<Piece[]>,
  keyOf: (piece: Piece) => string | number,
  work: (piece: Piece) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const failures = new Map<string | number, unknown>()
  for (let isMore = true; isMore && !signal?.aborted; ) {
    // Failed pieces are selected again, perhaps ahead of others, so as many more are read.
    const limit = AT_ONCE + failures.size
    const selected = await select(limit)
    isMore = selected.length === limit
    const pieces = selected.filter((piece) => !failures.has(keyOf(piece)))
    const failed = (piece: Piece, error: unknown) => failures.set(keyOf(piece), error)
    await workEach(pieces, work, { signal, failed })
  }
  if (failures.size > 0 && !signal?.aborted) throw [...failures.values()].at(-1)
}
