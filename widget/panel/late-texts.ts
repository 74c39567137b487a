import type en from '../texts/en.json'

/** The texts that come late in a conversation, if at all. */
export type LateTexts = (typeof en)['late']

/** The hash that the text files of all languages carry, set by the build. */
declare const TEXTS_HASH: string

/** Loads the texts that come late in a conversation, in a language that exists. */
export async function loadLateTexts(language: string): Promise<LateTexts> {
  return (await import(/* @vite-ignore */ `./late-${language}-${TEXTS_HASH}.js`)).default
}
