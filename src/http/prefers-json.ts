/** True if an Accept header (RFC 9110 section 12.5.1) asks for JSON rather than plain text, which is the default. */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = readRanges(accept ?? '')
  const json = ranges.get('application/json')
  const quality = json ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0
  const ofText = ranges.get('text/plain') ?? ranges.get('text/*') ?? ranges.get('*/*') ?? 0
  return quality > ofText || (json !== undefined && json > 0 && json === ofText)
}

/** Parses the media ranges with their q-values. Of ranges that differ only in other parameters, the last one counts. */
function readRanges(accept: string): Map<string, number> {
  return new Map(
    accept.split(',').map((member) => {
      const [range = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [range, quality === undefined ? 1 : Number(quality) || 0]
    }),
  )
}
