/** The texts of a document that stand for others: `|name|`. */
export type Substitutions = ReadonlyMap<string, string>

const ROLE = /:(?:[a-z][\w+.-]{0,40}:){0,3}([a-z][\w+.-]{0,40}):`([^`]{1,500})`/gi
const INTERPRETED = /`([^`\n]{1,500})`(?::[\w:.+-]{1,60}:|_{0,2})/g
/** The target behind a name: `name <target>`. */
const TARGET = /\s*<[^<>]{1,1000}>$/
/** Roles that name a thing by its path, of which `~` shows only the end. */
const PATHS =
  /^(?:doc|download|ref|numref|term|any|mod|class|func|meth|attr|exc|data|obj|const|type|envvar|option|keyword)$/

/** Returns the text that a reader sees of inline reStructuredText. */
export function rstText(source: string, substitutions: Substitutions = new Map()): string {
  const verbatim: string[] = []
  const keep = (text: string) => `\uE000${verbatim.push(text) - 1}\uE000`
  return source
    .replace(/``(.{1,500}?)``(?!`)/g, (_, code: string) => keep(code.trim()))
    .replace(/\\(\S)|\\\s/g, (_, escaped: string | undefined) => (escaped === undefined ? '' : keep(escaped)))
    .replace(ROLE, (_, role: string, text: string) => ofRole(role.toLowerCase(), text))
    .replace(INTERPRETED, (_, text: string) => text.replace(TARGET, '') || text)
    .replace(/\s?\[(?:#[\w-]{0,50}|\*|\d{1,4})\]_(?!\w)/g, '')
    .replace(/\[([\w.-]{1,100})\]_(?!\w)/g, '[$1]')
    .replace(/\|([^|\s][^|\n]{0,100})\|_{0,2}/g, (all, name: string) => {
      const text = substitutions.get(name.trim().toLowerCase())
      return text ?? (/^(?:version|release|today)$/.test(name) ? '' : all)
    })
    .replace(/(?<![\w*])(\*{1,2})(?=[^\s*])([^*\n]{1,500}?)(?<=\S)\1(?!\w)/g, '$2')
    .replace(/(?<![\w_])([A-Za-z0-9]{1,100}(?:[-.+:][A-Za-z0-9]{1,100}){0,20})_{1,2}(?![\w_])/g, '$1')
    .replace(/\uE000(\d+)\uE000/g, (_, at: string) => verbatim[Number(at)] ?? '')
    .replace(/[ \t]+/g, ' ')
    .trim()
}

function ofRole(role: string, text: string): string {
  if (role === 'pep' || role === 'rfc') return `${role.toUpperCase()} ${text}`
  const name = text.replace(TARGET, '').replace(/^!/, '')
  if (name.trim() === '') return text.replace(/^\s*<|>$/g, '')
  if (!PATHS.test(role) || name !== text) return name.replace(/^~/, '')
  return name.startsWith('~') ? (name.slice(1).split('.').at(-1) ?? name) : name.replace(/^[/.]/, '')
}
