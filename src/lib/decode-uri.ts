/** Decodes the `%` codes of a part of an address; returns it as it is when a `%` in it is no code. */
export function decodeUri(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
