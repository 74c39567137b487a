import { readFileSync, writeFileSync } from 'node:fs'
import { settingTexts } from '../../src/settings/table.ts'

/** Returns the files that say which settings there are, as `src/settings/table.ts` has them. */
export function filesWithSettings(): Record<string, string> {
  const page = readFileSync(PAGE, 'utf8')
  return { '.env.example': envExample(), [PAGE]: page.replace(TABLE, () => table()) }
}

const PAGE = 'docs/configuration.md'
const TABLE = /(?<=^## Which settings are there\?\n\n)(\|.*\n)+/m

function envExample(): string {
  const lines = settingTexts().flatMap(({ names: [name, ...files], value, byDefault, meaning }) => [
    `# ${withoutMarks(meaning)}${value || byDefault === 'none' ? '' : ` (default: ${byDefault})`}`,
    `#${name}=${value}`,
    ...files.map((file) => `#${file}=`),
    '',
  ])
  return [
    '# Every setting of Parley with its default; remove the # to set one. docs/configuration.md explains them.',
    '# With PARLEY_DATABASE_URL=postgres://user:password@host/database PARLEY_MASTER_KEY is needed too.',
    '',
    ...lines,
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
}

function table(): string {
  const rows = settingTexts().map(({ names, byDefault, meaning }) => {
    const coded = names.map((name) => `\`${name}\``).join(', ')
    return `| ${coded} | ${byDefault} | ${meaning} |\n`
  })
  return ['| Variable | Default | Meaning |\n', '|---|---|---|\n', ...rows].join('')
}

/** Returns a line of Markdown as plain text, which names the page that a link at its end leads to. */
function withoutMarks(markdown: string): string {
  return markdown
    .replace(/: \[[^\]]+\]\(([^)#]*)[^)]*\)$/, (_, page) => `, see ${page ? `docs/${page}` : PAGE}`)
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
}

if (import.meta.main)
  for (const [file, text] of Object.entries(filesWithSettings())) writeFileSync(file, text)
