import type en from '../texts/en.json'

/** The texts about mail, which are loaded only by a chat whose unseen answers go by mail. */
export type MailTexts = (typeof en)['mail']

/** The hash that the text files of all languages carry, set by the build. */
declare const TEXTS_HASH: string

/** Loads the texts about mail in a language that exists. */
export async function loadMailTexts(language: string): Promise<MailTexts> {
  return (await import(/* @vite-ignore */ `./mail-${language}-${TEXTS_HASH}.js`)).default
}
