// Finds one of many entries that share most of their words: the functions of a library, by the sentence with which
// another library describes the function of the same name. Compares with MiniSearch in the same run.
import { createAgent } from '../src/agents/create-agent.ts'
import { addDocument } from '../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../src/knowledge/search/search.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { readFunctionSet, readFunctions } from './knowledge/functions.ts'
import { installMiniSearch, searchWithMiniSearch } from './knowledge/minisearch.ts'
import { Ranks } from './knowledge/ranks.ts'
import { printTable } from './support/load.ts'

const PAIRS = [
  ['lodash', 'es-toolkit'],
  ['lodash', 'ramda'],
  ['lodash', 'underscore'],
  ['es-toolkit', 'lodash'],
  ['es-toolkit/compat', 'lodash'],
  ['ramda', 'lodash'],
] as const

installMiniSearch()
const libraries = readFunctions()
const rows: (string | number)[][] = []
for (const [of, by] of PAIRS) rows.push([of, by, ...(await measure(of, by))])
printTable([
  [
    'entries of',
    'asked for by',
    'entries',
    'questions',
    'first right',
    'MiniSearch',
    'rank at 10',
    'MiniSearch',
  ],
  ...rows,
])

async function measure(of: string, by: string): Promise<(string | number)[]> {
  const { entries } = readFunctionSet(libraries, of, by)
  await using opened = await openBenchDatabase('sqlite')
  const { db } = opened.database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (const { question, answer } of entries)
    await addDocument(db, agentId, { title: question, url: null, content: answer, format: 'text' }, 0)
  const mini = await searchWithMiniSearch(entries, false)
  const ours = new Ranks()
  const theirs = new Ranks()
  for (const [at, { question, asked }] of entries.entries()) {
    for (const query of asked) {
      const { passages } = await searchKnowledge(db, agentId, query, 20)
      ours.add([...new Set(passages.map(({ title }) => title))].slice(0, 10).indexOf(question))
      const found = mini(query).slice(0, 10)
      theirs.add(found.findIndex(({ id }) => id === at))
    }
  }
  return [entries.length, ours.count, ours.first(), theirs.first(), ours.mean(), theirs.mean()]
}
