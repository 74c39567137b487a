const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Returns the number of characters (Unicode code points) in a text. */
export function countCharacters(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0)
}
