import { indexWords } from '../src/language/words/words.ts'
import type { FoundPassage } from '../src/model/findings.ts'
import { addressOf, openSite } from './knowledge/open-site.ts'
import { readSites, WRAPPINGS, wrap } from './knowledge/sites.ts'

/**
 * Counts why the built-in answerer names no right page for questions of `help-sites.ts`, only for the sites on which
 * constants were chosen.
 */
const CAUSES = [
  'another page is the answer',
  'a right page is among the first three, but too little related',
  'the question has no word in common with a right page, or with any',
  'other pages have more of the words',
  'a right page has as much of the words, but in several passages',
  'a right page has a passage with as much of the words, which ranks below three pages',
] as const
type Cause = (typeof CAUSES)[number]

const counts = new Map<string, number>()
for (const site of readSites((isHeldBack) => !isHeldBack)) {
  await using open = await openSite(site, [])
  for (const wrapping of WRAPPINGS)
    for (const [at, { asked, answeredBy }] of site.questions.entries()) {
      const question = wrap(asked, wrapping, site, at)
      const right = answeredBy.map(addressOf)
      const { verdict, urls } = await open.ask(question)
      const isNamed = urls.findIndex((url) => url !== null && right.includes(url))
      if (verdict === 'answered' ? isNamed === 0 : isNamed >= 0) continue
      const { passages, words } = await open.find(question)
      const named = [...new Set(passages.map(({ url }) => url ?? ''))].slice(0, 3)
      const weigh = (texts: readonly Pick<FoundPassage, 'title' | 'heading' | 'text'>[]) => {
        const there = new Set(
          texts.flatMap(({ title, heading, text }) => indexWords(`${title} ${heading} ${text}`)),
        )
        return words.reduce((sum, { word, weight }) => (there.has(word) ? sum + weight : sum), 0)
      }
      const own = await open.passagesOf(right)
      const most = passages[0] ? weigh([passages[0]]) : 0
      const cause = (): Cause => {
        if (verdict === 'answered') return CAUSES[0]
        if (named.some((url) => right.includes(url))) return CAUSES[1]
        if (most === 0 || weigh(own) === 0) return CAUSES[2]
        if (weigh(own) < most) return CAUSES[3]
        return own.every((passage) => weigh([passage]) < most) ? CAUSES[4] : CAUSES[5]
      }
      const name = `${cause()}, ${wrapping}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (process.argv[2] === 'each') process.stdout.write(`  ${name} | ${asked} | ${named}\n`)
    }
}
for (const cause of CAUSES)
  process.stdout.write(
    `${cause}: ${WRAPPINGS.map((wrapping) => `${wrapping} ${counts.get(`${cause}, ${wrapping}`) ?? 0}`).join(', ')}\n`,
  )
