import { languageOfTalk, type OwnSentences, phrases } from '../model/phrases/phrases.ts'

/** Returns the answer when a model said nothing, in the language of the question. */
export function saidWithoutModel(question: string, askedForPerson: boolean, own: OwnSentences = {}): string {
  const { person, unfinished } = phrases(languageOfTalk(question, [question], own), own)
  return askedForPerson ? person : unfinished
}
