/** Returns the phrases of a table: they are separated by `|`, and `[a|b]` stands for a choice between words. */
export function phrasesOf(table: string): string[] {
  return table.match(PHRASE)?.flatMap(expand) ?? []
}

const PHRASE = /(?:[^|[]|\[[^\]]*\])+/g

function expand(phrase: string): string[] {
  const [choice, before = '', words = '', after = ''] = /^([^[]*)\[([^\]]*)\](.*)$/u.exec(phrase) ?? []
  if (choice === undefined) return [phrase]
  const rest = expand(after)
  return words.split('|').flatMap((word) => rest.map((end) => `${before}${word}${end}`))
}
