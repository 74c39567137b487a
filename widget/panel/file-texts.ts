import type en from '../texts/en.json'

/** The texts about files, which only a chat that takes files loads. */
export type FileTexts = (typeof en)['uploads'] & (typeof en)['refusals']

/** The hash that the text files of all languages carry, set by the build. */
declare const TEXTS_HASH: string

/** Loads the texts about files in a language that exists. */
export async function loadFileTexts(language: string): Promise<FileTexts> {
  return (await import(/* @vite-ignore */ `./files-${language}-${TEXTS_HASH}.js`)).default
}

/** The service's words on a file that it does not take, and the texts for them. */
const reasons = [
  [/is empty/, 'empty'],
  [/cannot be read/, 'damaged'],
  [/kind that is not read/, 'otherPicture'],
] as const

/** Returns the name of the text for the service's words on a file. */
export function refusalOf(message: string): keyof FileTexts {
  return reasons.find(([words]) => words.test(message))?.[1] ?? 'notTaken'
}
