import { readFileSync } from 'node:fs'
import { allLocales } from '@faker-js/faker'
import { hash } from '../random.ts'
import type { Script } from './bearers.ts'
import { type Names, ORIGINS } from './origins.ts'

/** The locales of @faker-js/faker (MIT) whose names are of an origin, by script. */
const LOCALES: Record<string, Partial<Record<Script, string>>> = {
  English: { latin: 'en' },
  German: { latin: 'de' },
  Dutch: { latin: 'nl nl_BE' },
  French: { latin: 'fr' },
  Spanish: { latin: 'es es_MX' },
  Portuguese: { latin: 'pt_BR pt_PT' },
  Italian: { latin: 'it' },
  Nordic: { latin: 'sv da nb_NO' },
  'Finnish and Baltic': { latin: 'fi lv' },
  'West Slavic': { latin: 'pl cs_CZ sk' },
  'South Slavic': { latin: 'hr sr_RS_latin sl_SI', native: 'mk' },
  'East Slavic': { native: 'ru uk' },
  Romanian: { latin: 'ro ro_MD' },
  Hungarian: { latin: 'hu' },
  Greek: { native: 'el' },
  'Turkish and Azeri': { latin: 'tr az' },
  Arab: { native: 'ar' },
  Persian: { native: 'fa' },
  Hebrew: { native: 'he' },
  'North Indian': { latin: 'en_IN', native: 'ne' },
  Pakistani: { native: 'ur' },
  Chinese: { native: 'zh_CN zh_TW' },
  Japanese: { native: 'ja' },
  Korean: { native: 'ko' },
  Vietnamese: { latin: 'vi' },
  Thai: { native: 'th' },
  'Indonesian and Malay': { latin: 'id_ID' },
  'West African': { latin: 'en_NG yo_NG en_GH fr_SN' },
  'Southern African': { latin: 'zu_ZA' },
  'Georgian and Armenian': { native: 'ka_GE' },
}

/** Returns many names of each origin and script, by `origin script`, each list in an order of no meaning. */
export function loadMoreNames(): Map<string, Names> {
  const names = new Map<string, Names>()
  const add = (key: string, { given, family }: Names) => {
    const { given: before, family: familyBefore } = names.get(key) ?? { given: [], family: [] }
    names.set(key, { given: shuffled([...before, ...given]), family: shuffled([...familyBefore, ...family]) })
  }
  for (const { name, latin, native } of ORIGINS) {
    add(`${name} latin`, latin)
    if (native) add(`${name} native`, native)
  }
  for (const [origin, scripts] of Object.entries(LOCALES))
    for (const [script, locales] of Object.entries(scripts))
      for (const locale of locales.split(' ')) {
        const { first_name, last_name } = allLocales[locale as keyof typeof allLocales].person ?? {}
        add(`${origin} ${script}`, { given: allOf(first_name), family: allOf(last_name) })
      }
  for (const { key, lists } of readLists()) add(key, { given: lists[0] ?? [], family: lists[1] ?? [] })
  return names
}

function allOf(lists: object | null = {}): string[] {
  const all = Object.values(lists ?? {}).flat() as unknown[]
  return all.filter((name): name is string => typeof name === 'string' && /^[^\d{}]{2,}$/.test(name))
}

function readLists(): { key: string; lists: string[][] }[] {
  const sections = readFileSync(new URL('more-names.txt', import.meta.url), 'utf8')
    .split('\n## ')
    .slice(1)
  return sections.map((section) => {
    const [heading = '', ...lines] = section.trim().split('\n')
    const lists = lines.map((line) => line.split(' ').map((name) => name.replaceAll('_', ' ')))
    return { key: heading.replace(', ', ' '), lists }
  })
}

function shuffled(names: string[]): string[] {
  return [...new Set(names)].sort((a, b) => hash(a) - hash(b))
}
