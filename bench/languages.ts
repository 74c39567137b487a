import { createAgent } from '../src/agents/create-agent.ts'
import { addDocument } from '../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../src/knowledge/search/search.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { readHelpPages } from './knowledge/help-pages.ts'
import { installMiniSearch, searchWithMiniSearch } from './knowledge/minisearch.ts'
import { Ranks } from './knowledge/ranks.ts'

/**
 * Finds help pages by the line that describes them, in many languages, against MiniSearch in the same run: with the
 * line as written, and as people type it who omit accents, spell letters out, or write Russian in Latin letters. The
 * pages come from Debian's packages, unpacked into a folder.
 * Usage: node bench/languages.ts /usr/share gnome|libreoffice LANGUAGE...
 */
const [share = '/usr/share', kind = 'gnome', ...languages] = process.argv.slice(2)
if (kind !== 'gnome' && kind !== 'libreoffice') throw new Error(`no such help: ${kind}`)

const SPELT_OUT: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', å: 'aa', æ: 'ae', ø: 'oe' }
/** The transliteration of Russian passports. */
const LATIN: Record<string, string> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    д: 'd',
    е: 'e',
    ё: 'e',
    ж: 'zh',
    з: 'z',
    и: 'i',
    й: 'i',
    к: 'k',
    л: 'l',
  },
  ...{
    м: 'm',
    н: 'n',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    у: 'u',
    ф: 'f',
    х: 'kh',
    ц: 'ts',
    ч: 'ch',
    ш: 'sh',
  },
  ...{ щ: 'shch', ъ: 'ie', ы: 'y', ь: '', э: 'e', ю: 'iu', я: 'ia' },
}
const replaced = (letters: Record<string, string>) => (text: string) =>
  text.toLowerCase().replace(/./gu, (letter) => letters[letter] ?? letter)

const WAYS: Record<string, (text: string) => string> = {
  'as written': (text) => text.toLowerCase(),
  'without marks': (text) =>
    replaced({ đ: 'd' })(text).normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC'),
  'spelt out': replaced(SPELT_OUT),
  'in Latin letters': replaced(LATIN),
}

installMiniSearch()
for (const language of languages) {
  const pages = readHelpPages(share, kind, language)
  await using opened = await openBenchDatabase('sqlite')
  const { db } = opened.database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (const { title, text } of pages)
    await addDocument(db, agentId, { title, url: null, content: text, format: 'text' }, 0)
  const mini = await searchWithMiniSearch(
    pages.map(({ title, text }) => ({ question: title, answer: text, alternates: [], asked: [] })),
    false,
  )
  for (const [way, spell] of Object.entries(WAYS)) {
    if (pages.every(({ asked }) => way !== 'as written' && spell(asked) === asked.toLowerCase())) continue
    const ours = new Ranks()
    const theirs = new Ranks()
    for (const [at, page] of pages.entries()) {
      const query = spell(page.asked)
      const { passages } = await searchKnowledge(db, agentId, query, 20)
      ours.add([...new Set(passages.map(({ title }) => title))].slice(0, 10).indexOf(page.title))
      theirs.add(
        mini(query)
          .slice(0, 10)
          .findIndex(({ id }) => id === at),
      )
    }
    process.stdout.write(
      `${language} ${pages.length} pages, ${way}: first right ${ours.first()} (MiniSearch ${theirs.first()}), reciprocal rank at 10 ${ours.mean()} (${theirs.mean()})\n`,
    )
  }
}
