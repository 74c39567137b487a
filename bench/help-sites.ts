import { readOutOfScope } from './knowledge/faq.ts'
import { addressOf, openSite, type Said } from './knowledge/open-site.ts'
import { readSites, type Site, WRAPPINGS, wrap } from './knowledge/sites.ts'

/**
 * Asks the documentation of packages what their users ask, bare, in a sentence with a greeting and in a mail of 90
 * words. Tells for how many questions a right page is among what a model is given, or finds by searching itself, what
 * the built-in answerer says, and how many questions are answered that the documents do not answer: those about other
 * subjects, and those whose pages were taken out, half of them at a time. The argument `held-back` asks the sites whose
 * results chose no constant.
 */
const isHeldBack = process.argv[2] === 'held-back'
const sites = readSites((is) => is === isHeldBack)

const total = new Map<string, Tally>()
for (const site of sites) {
  const own = new Map<string, Tally>()
  await using whole = await openSite(site, [])
  for (const wrapping of WRAPPINGS)
    for (const [at, { asked, answeredBy }] of site.questions.entries()) {
      const question = wrap(asked, wrapping, site, at)
      const isRight = (url: string | null) => answeredBy.some((page) => url === addressOf(page))
      const { given, searched } = await whole.given(question, asked)
      const { verdict, urls } = await whole.ask(question)
      const found = urls.findIndex(isRight)
      const outcome = outcomeOf(verdict, found)
      const isGiven = given.some(isRight)
      count(own, wrapping, [
        ...(isGiven ? ['given'] : []),
        ...(isGiven || searched.some(isRight) ? ['searched'] : []),
        outcome,
      ])
      if (process.argv[3] === 'each')
        print(`    ${outcome}${isGiven ? '' : ' (not given)'} | ${wrapping} | ${asked} | ${urls[0]}`)
    }
  for (const wrapping of WRAPPINGS)
    for (const [at, question] of outsideOf(site).entries())
      count(own, `other subjects, ${wrapping}`, [
        (await whole.ask(wrap(question, wrapping, site, at))).verdict,
      ])
  for (const half of [0, 1]) {
    const gone = new Set(
      site.questions.filter((_, at) => at % 2 === half).flatMap(({ answeredBy }) => answeredBy),
    )
    const left = site.questions.filter(({ answeredBy }) => answeredBy.every((page) => gone.has(page)))
    await using rest = await openSite(site, [...gone])
    for (const wrapping of WRAPPINGS)
      for (const [at, { asked }] of left.entries())
        count(own, `taken out, ${wrapping}`, [(await rest.ask(wrap(asked, wrapping, site, at))).verdict])
  }
  print(
    `${site.name}: ${site.pages.length} pages, ${site.questions.length} questions, threshold ${whole.threshold}`,
  )
  printTallies(own)
}
print(`all ${isHeldBack ? 'sites that were held back' : 'sites on which constants were chosen'}`)
printTallies(total)

/** @param found the place of a right page among those that were named; -1: it is not among them */
function outcomeOf(verdict: Said['verdict'], found: number): string {
  if (verdict === 'unknown') return 'not known'
  if (verdict === 'answered') return found === 0 ? 'right' : 'wrong'
  if (found === 0) return 'helps, first'
  return found > 0 ? 'helps, among three' : 'misleads'
}

interface Tally {
  count: number
  of: Map<string, number>
}

function count(own: Map<string, Tally>, name: string, what: readonly string[]) {
  for (const tallies of [own, total]) {
    const tally = tallies.get(name) ?? { count: 0, of: new Map<string, number>() }
    tallies.set(name, tally)
    tally.count++
    for (const outcome of what) tally.of.set(outcome, (tally.of.get(outcome) ?? 0) + 1)
  }
}

function printTallies(tallies: ReadonlyMap<string, Tally>) {
  for (const [name, { count, of }] of tallies) {
    const share = (...outcomes: string[]) =>
      `${((100 * outcomes.reduce((sum, outcome) => sum + (of.get(outcome) ?? 0), 0)) / count).toFixed(1)}%`
    print(
      (WRAPPINGS as readonly string[]).includes(name)
        ? `  ${name}: given to a model ${share('given')}, or found by its own search for the bare question ${share('searched')}; right ${share('right')}, or may help with a right page first ${share('right', 'helps, first')}, among three ${share('right', 'helps, first', 'helps, among three')}; wrong ${share('wrong')}, may help without a right page ${share('misleads')}, not known ${share('not known')}  (${count})`
        : `  ${name}: answered ${share('answered')}, may help ${share('may help')}  (${count})`,
    )
  }
}

/** Questions about other subjects: of everyday life, and some about other sites. */
function outsideOf(site: Site): string[] {
  const others = sites.filter(({ name }) => name !== site.name)
  return [
    ...readOutOfScope(),
    ...others.flatMap(({ questions }) => questions.slice(0, 5).map(({ asked }) => asked)),
  ]
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
