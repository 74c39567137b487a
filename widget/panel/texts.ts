import type en from '../texts/en.json'

export interface Texts extends Words {
  /** The language of the texts. */
  language: string
  /** Returns the day of a time in the visitor's time zone; `time` returns its hour and minute. */
  day: (at: string) => string
  time: (at: string) => string
}

type Words = (typeof en)['panel']

/** The hash that the text files of all languages carry, set by the build. */
declare const TEXTS_HASH: string
/** The names of the panel's texts in order, set by the build. */
declare const TEXTS_NAMES: string

/**
 * Loads the chat's own texts in a language that exists. @param tries the number of tries that have failed: browsers
 * remember that a module failed, so each try has its own address
 */
export async function loadTexts(language: string, tries: number): Promise<Texts> {
  const file = `./${language}-${TEXTS_HASH}.js?${tries}`
  const words: string[] = (await import(/* @vite-ignore */ file)).default
  // The visitor's own region decides between a 12-hour and a 24-hour clock.
  const tag = (navigator.languages.find((tag) => tag.startsWith(language)) ?? language).replace(/@.*/, '')
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const { format } = new Intl.DateTimeFormat(tag, options)
    return (at: string) => format(new Date(at))
  }
  return {
    ...(Object.fromEntries(TEXTS_NAMES.split(' ').map((name, place) => [name, words[place]])) as Words),
    language,
    day: writer({ dateStyle: 'full' }),
    time: writer({ timeStyle: 'short' }),
  }
}

/** Puts values in place of `{name}` in a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
