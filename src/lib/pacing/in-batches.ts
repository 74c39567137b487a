const BATCH = 1000

/**
 * Deletes many rows in batches, each in a transaction of its own, so that no other write waits long.
 * @param deleteSome deletes up to `limit` rows and returns the number it deleted
 * @param signal stops the deletion before the next batch
 */
export async function inBatches(
  deleteSome: (limit: number) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted && (await deleteSome(BATCH)) === BATCH) {
    // The next batch.
  }
}
