import { comparable, matchesGlob } from './site.ts'

/** The rules of a site for crawlers. */
export interface Robots {
  allows(address: string): boolean
  /** The time to wait between two pages. */
  delayMs: number
}

/** The name of the crawler in robots.txt. */
const CRAWLER = 'parley'
/** The number of bytes that are read: RFC 9309 asks for at least as many. */
export const LONGEST_ROBOTS = 500 * 1024
const MOST_RULES = 2000
const LONGEST_RULE = 1000
const LONGEST_DELAY_S = 10

interface Rule {
  allow: boolean
  pattern: string
}

interface Group {
  rules: Rule[]
  delay: number
}

/** Reads a robots.txt as RFC 9309 says: the longest matching rule counts; of two equally long, the one that allows. */
export function readRobots(text: string): Robots {
  const groups = new Map<string, Group>()
  let current: Group[] = []
  let isNaming = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [, name = '', given = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line.slice(0, LONGEST_RULE)) ?? []
    const field = name.toLowerCase()
    const value = given.trim()
    if (field === 'user-agent') {
      if (!isNaming) current = []
      isNaming = true
      const agent = value.toLowerCase()
      const group = groups.get(agent) ?? { rules: [], delay: 0 }
      groups.set(agent, group)
      current.push(group)
      continue
    }
    if (field === '') continue
    isNaming = false
    if (field === 'crawl-delay') for (const group of current) group.delay = Number(value) || 0
    if ((field !== 'allow' && field !== 'disallow') || value === '') continue
    const rule = { allow: field === 'allow', pattern: patternOf(comparable(value)) }
    for (const { rules } of current) if (rules.length < MOST_RULES) rules.push(rule)
  }
  const { rules, delay } = groups.get(CRAWLER) ?? groups.get('*') ?? { rules: [], delay: 0 }
  return {
    allows(address) {
      const { pathname, search } = new URL(address)
      const path = comparable(pathname + search)
      const [first] = rules
        .filter(({ pattern }) => matchesGlob(pattern, path))
        .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
      return first?.allow ?? true
    },
    delayMs: Math.min(Math.max(delay, 0), LONGEST_DELAY_S) * 1000,
  }
}

/** Makes a glob of a rule, which matches everything that begins with it, unless it ends with `$`. */
function patternOf(rule: string): string {
  return rule.endsWith('$') ? rule.slice(0, -1) : `${rule}*`
}
