/** A piece of text on a page, as pdf.js gives it. */
export interface PdfText {
  str: string
  /** A matrix whose last two numbers are the position of the text. */
  transform: number[]
  width: number
  height: number
  hasEOL: boolean
}

export interface PdfLine {
  text: string
  /** The height of its letters. */
  size: number
  /** True if there is more space above it than between the lines of a paragraph. */
  isApart: boolean
}

/** The distance, in letter heights, from which two pieces are cells of a table. */
const CELL_GAP = 1.5
const PARAGRAPH_GAP = 1.7

/** Reads the lines of a page. Cells of a table, which are far apart in a line, are separated by ` | `. */
export function readLines(items: readonly PdfText[]): PdfLine[] {
  const lines: PdfLine[] = []
  let text = ''
  let size = 0
  let [lineY, lastY]: [number | null, number | null] = [null, null]
  let end = 0

  function endLine(): void {
    const found = text.replace(/\s+/g, ' ').trim()
    if (found !== '') {
      const gap = lastY === null || lineY === null ? 0 : lastY - lineY
      lines.push({ text: found, size, isApart: gap < 0 || gap > size * PARAGRAPH_GAP })
      lastY = lineY
    }
    text = ''
    size = 0
    lineY = null
  }

  for (const { str, transform, width, height, hasEOL } of items) {
    const [x = 0, y = 0] = transform.slice(4)
    if (str.trim() !== '') {
      const letters = Math.round(height * 10) / 10
      if (lineY !== null && Math.abs(y - lineY) > Math.max(size, letters, 1) * 0.8) endLine()
      const gap = text === '' ? 0 : x - end
      text += gap > Math.max(size, 1) * CELL_GAP ? ` | ${str}` : str
      size = Math.max(size, letters)
      lineY ??= y
      end = x + width
    } else if (str !== '' && text !== '') text += ' '
    if (hasEOL) endLine()
  }
  endLine()
  return lines
}
