import type en from '../texts/en.json'

export type Texts = (typeof en)['panel']

/** The hash that the files of all languages carry; the build names it. */
declare const TEXTS: string

/** Loads the chat's own words in a language that there is. */
export async function loadTexts(language: string): Promise<Texts> {
  return (await import(/* @vite-ignore */ `./${language}-${TEXTS}.js`)).default
}

/** Puts values where a text has `{name}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
