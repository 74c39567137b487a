const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** How many characters (Unicode code points) a text has. */
export function countCharacters(text: string): number {
  return text.length - (text.match(PAIR)?.length ?? 0)
}
