/** The fields that a Markdown file states about itself before its text. */
interface FrontMatter {
  title?: string
  /** The address as written, which may be a path. */
  url?: string
  description?: string
}

const FENCED = /^\uFEFF?---[ \t]*\n([\s\S]*?)\n---[ \t]*(?:\n|$)/
const FIELD = /^(title|url|description)[ \t]*:[ \t]*(.*)$/
const INDENTED = /^[ \t]+\S|^[ \t]*$/

/**
 * Separates a Markdown text from its front matter. Of the YAML, only the texts of `title`, `url` and `description` are
 * read.
 * @param source with line feeds as its only line ends
 */
export function readFrontMatter(source: string): { fields: FrontMatter; text: string } {
  const [all = '', yaml = ''] = FENCED.exec(source) ?? []
  const fields: FrontMatter = {}
  const lines = yaml.split('\n')
  for (const [at, line] of lines.entries()) {
    const [, name, value = ''] = FIELD.exec(line) ?? []
    if (name === undefined) continue
    const end = lines.findIndex((next, index) => index > at && !INDENTED.test(next))
    const text = readScalar(value, lines.slice(at + 1, end === -1 ? undefined : end))
    if (text !== '') fields[name as keyof FrontMatter] = text
  }
  return { fields, text: source.slice(all.length).replace(/^\uFEFF/, '') }
}

/** Reads a YAML text: plain, quoted, or on the indented lines below. */
function readScalar(value: string, below: readonly string[]): string {
  const first = value.trim()
  const whole = [/^[|>][+-]?$/.test(first) ? '' : first, ...below.map((line) => line.trim())].join(' ').trim()
  if (/^'.*'$/.test(whole)) return whole.slice(1, -1).replaceAll("''", "'").trim()
  if (/^".*"$/.test(whole)) return withoutEscapes(whole)
  return whole.replace(/(?:^|\s)#.*$/, '').trim()
}

function withoutEscapes(quoted: string): string {
  try {
    return String(JSON.parse(quoted)).trim()
  } catch {
    return quoted.slice(1, -1).trim()
  }
}
