/** Yields the same bytes in pieces of a size, of which the last may be smaller. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = []
  let length = 0
  for await (let chunk of bytes) {
    while (length + chunk.length >= size) {
      const missing = size - length
      yield Buffer.concat([...gathered, chunk.subarray(0, missing)])
      chunk = chunk.subarray(missing)
      gathered = []
      length = 0
    }
    if (chunk.length > 0) gathered.push(chunk)
    length += chunk.length
  }
  if (length > 0) yield Buffer.concat(gathered)
}
