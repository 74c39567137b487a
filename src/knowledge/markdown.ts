/** A piece of a markdown text that belongs together. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'text'; text: string }
  /** Verbatim, with its fence. */
  | { kind: 'code'; text: string }

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/
const ATX_HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const SETEXT_UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const LIST_ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const LINK_DEFINITION = /^ {0,3}\[[^\]]+\]:\s+\S/

/**
 * Reads a markdown text into its blocks, with the markup taken out of running text. Only what a reader would see
 * stays: front matter, comments, HTML tags and link targets go.
 */
export function readMarkdown(source: string): Block[] {
  const lines = withoutFrontMatter(source.replace(/\r\n?/g, '\n'))
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  const endParagraph = () => {
    const text = paragraph.join('\n').trim()
    if (text !== '') blocks.push({ kind: 'text', text })
    paragraph = []
  }

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = FENCE.exec(line)?.[1]
    const heading = ATX_HEADING.exec(line)
    if (fence !== undefined) {
      endParagraph()
      const end = endOfFence(lines, at, fence)
      const code = lines.slice(at + 1, end).join('\n')
      if (code.trim() !== '') blocks.push({ kind: 'code', text: `\`\`\`\n${code}\n\`\`\`` })
      at = end
    } else if (heading) {
      endParagraph()
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: plainText(heading[2] ?? '') })
    } else if (paragraph.length === 1 && SETEXT_UNDERLINE.test(line) && !LIST_ITEM.test(paragraph[0] ?? '')) {
      const text = plainText(paragraph[0] ?? '')
      paragraph = []
      blocks.push({ kind: 'heading', level: line.includes('=') ? 1 : 2, text })
    } else if (line.trim() === '' || RULE.test(line)) {
      endParagraph()
    } else if (!TABLE_RULE.test(line) && !LINK_DEFINITION.test(line)) {
      paragraph.push(readLine(line, paragraph.length > 0))
    }
  }
  endParagraph()
  return blocks
}

/** What a reader sees of inline markdown. */
export function plainText(markdown: string): string {
  const codes: string[] = []
  return markdown
    .replace(/(`+)(.+?)\1/g, (_, _ticks, code: string) => `\uE000${codes.push(code.trim()) - 1}\uE000`)
    .replace(/!\[([^\]]*)\](?:\([^)\s]*(?:\s+"[^"]*")?\)|\[[^\]]*\])/g, '$1')
    .replace(/\[([^\]]+)\](?:\([^)\s]*(?:\s+"[^"]*")?\)|\[[^\]]*\])/g, '$1')
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replace(/<\/?[a-zA-Z][^<>]*>/g, '')
    .replace(/(\*{1,3}|~~)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}_])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\uE000(\d+)\uE000/g, (_, at: string) => codes[Number(at)] ?? '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

/** One line of running text: list items keep a dash, table rows become their cells. */
function readLine(line: string, continues: boolean): string {
  const quoted = line.replace(/^(?:\s{0,3}>\s?)+/, '')
  const item = LIST_ITEM.exec(quoted)
  if (item) {
    const rest = quoted.slice(item[0].length).replace(/^\[[ xX]\]\s+/, '')
    const marker = /\d/.test(item[0]) ? item[0].trim() : '-'
    return `${' '.repeat(Math.min(item[1]?.length ?? 0, 8))}${marker} ${plainText(rest)}`
  }
  if (/^\s*\|.*\|\s*$/.test(quoted)) {
    const cells = quoted
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
    return `- ${cells
      .map((cell) => plainText(cell))
      .filter((cell) => cell !== '')
      .join(' — ')}`
  }
  const text = plainText(quoted)
  return continues && /^\s{2,}/.test(line) ? `  ${text}` : text
}

function withoutFrontMatter(source: string): string {
  return source.replace(/^\uFEFF?---\n[\s\S]*?\n---(?:\n|$)/, '')
}

function endOfFence(lines: string[], start: number, fence: string): number {
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}\\s*$`)
  for (let at = start + 1; at < lines.length; at++) {
    if (closing.test(lines[at] ?? '')) return at
  }
  return lines.length
}
