import type en from '../texts/en.json'

export interface Texts extends Words {
  /** Of a time: its day, and its hour and minute, where the visitor is. */
  day: (at: string) => string
  time: (at: string) => string
}

type Words = (typeof en)['panel']

/** The build says which hash the files of all languages carry, and which texts they hold, in their order. */
declare const TEXTS: { hash: string; names: string }
const { hash, names } = TEXTS

/** Loads the chat's own words in a language that there is. */
export async function loadTexts(language: string): Promise<Texts> {
  const words: string[] = (await import(/* @vite-ignore */ `./${language}-${hash}.js`)).default
  // The visitor's own region says whether an afternoon has a 14th hour.
  const tag = navigator.languages.find((tag) => tag.startsWith(language)) ?? language
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(tag, options)
    return (at: string) => format(new Date(at))
  }
  return {
    ...(Object.fromEntries(names.split(' ').map((name, place) => [name, words[place]])) as Words),
    day: writer({ dateStyle: 'full' }),
    time: writer({ timeStyle: 'short' }),
  }
}

/** Puts values where a text has `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
