import { foldText } from '../../language/words/find-words.ts'

/** A person who can be mentioned. */
export interface Person {
  id: number
  name: string
  display_name: string
}

/** A person who was mentioned. */
export type Mention = Pick<Person, 'id' | 'name'>

/** The most `@` signs of a text that are examined, so that no text takes long. */
const MOST_PLACES = 500
/** Characters of words. An `@` behind one of them makes no mention, and a name does not end before one. */
const OF_WORDS = /[\p{L}\p{N}\p{M}_]/u

/**
 * Finds the people whom a note mentions with `@name`, each once, in the order of the text. The name is a person's name
 * or the name that end users see, in upper or lower case. If several names fit, the longest counts. People with the
 * same name are all mentioned.
 */
export function findMentions(text: string, people: readonly Person[]): Mention[] {
  const names = namesOf(people)
  const lengths = [...new Set([...names.keys()].map(({ length }) => length))].sort((a, b) => b - a)
  const folded = foldText(text)
  const found = new Map<number, Mention>()
  let places = 0
  for (let at = folded.indexOf('@'); at >= 0 && places++ < MOST_PLACES; at = folded.indexOf('@', at + 1)) {
    if (at > 0 && OF_WORDS.test(folded.charAt(at - 1))) continue
    for (const { id, name } of mentionedAt(folded, at + 1, names, lengths)) found.set(id, { id, name })
  }
  return [...found.values()]
}

function mentionedAt(
  text: string,
  start: number,
  names: ReadonlyMap<string, Person[]>,
  lengths: readonly number[],
): Person[] {
  for (const length of lengths) {
    const end = start + length
    if (end > text.length || OF_WORDS.test(text.charAt(end))) continue
    const people = names.get(text.slice(start, end))
    if (people) return people
  }
  return []
}

function namesOf(people: readonly Person[]): Map<string, Person[]> {
  const names = new Map<string, Person[]>()
  for (const person of people)
    for (const name of new Set([foldText(person.name), foldText(person.display_name)]))
      if (name !== '') names.set(name, [...(names.get(name) ?? []), person])
  return names
}
