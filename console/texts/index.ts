import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadScript } from '../api/load-script.ts'
import type en from './en.json'
import { isolated } from './isolated.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

interface Texts {
  default: object
}
type Part = Record<string, () => Promise<Texts>>

/** The texts, in one file for each language: adding a file adds the language. The inbox needs only the first part. */
const first: Part = import.meta.glob<Texts>('./*.json', { query: '?first' })
const later: Part = import.meta.glob<Texts>('./*.json', { query: '?later' })
const desk: Part = import.meta.glob<Texts>('./*.json', { query: '?desk' })
/** The parts that were loaded, which a change of language loads again. */
const needed = new Set([first])
const KEPT_AS = 'parley-language'

export const languages = Object.keys(first).map((path) => path.slice(2, -'.json'.length))

/** Loads the texts of the language that was chosen here before, or else of the first that the browser asks for. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: firstLanguage(),
    // A failure to load the texts is told in English.
    resources: { en: { translation: { failure: { title: 'This did not work', retry: 'Try again' } } } },
    fallbackLng: 'en',
    partialBundledLanguages: true,
    // React escapes values, but their direction could still turn the sentence around them.
    interpolation: { escapeValue: true, escape: isolated },
    returnNull: false,
  })
  await changeLanguage(i18next.language)
}

/** Loads a page together with the texts that the inbox does not need. */
export const withTexts = withPart(later)
/** Loads a part of the inbox together with its texts. */
export const withDeskTexts = withPart(desk)

function withPart(part: Part) {
  return <Page>(load: () => Promise<Page>): (() => Promise<Page>) =>
    async () => {
      needed.add(part)
      const [page] = await Promise.all([loadScript(load), add(part, i18next.language)])
      return page
    }
}

/** Switches all texts to a language. @param keep true to keep the choice in this browser */
export async function changeLanguage(language: string, keep = false): Promise<void> {
  if (!languages.includes(language)) return
  await Promise.all([...needed].map((part) => add(part, language)))
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  if (keep) localStorage.setItem(KEPT_AS, language)
}

async function add(part: Part, language: string): Promise<void> {
  const load = part[`./${language}.json`]
  const texts = load && (await loadScript(load))
  if (texts) i18next.addResourceBundle(language, 'translation', texts.default, true)
}

function firstLanguage(): string {
  const wanted = [localStorage.getItem(KEPT_AS), ...navigator.languages].map((name) => name?.split('-')[0])
  return wanted.find((name) => name && languages.includes(name)) ?? 'en'
}
