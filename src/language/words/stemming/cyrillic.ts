/** Endings of Russian and Ukrainian cases, longest first, in folded letters: й is и, ё is е, ї is і. */
const ENDINGS: readonly (readonly [shortest: number, endings: readonly string[]])[] = [
  [7, ['иями', 'іями', 'оями']],
  [
    6,
    [
      'иям',
      'иях',
      'іям',
      'іях',
      'оях',
      'ями',
      'оям',
      'ами',
      'его',
      'ему',
      'ими',
      'ого',
      'ому',
      'ыми',
      'оев',
    ].concat(['ові', 'еві', 'єві', 'іми']),
  ],
  [
    5,
    [
      'ая',
      'яя',
      'ях',
      'юю',
      'ах',
      'ею',
      'их',
      'іх',
      'ия',
      'ию',
      'ою',
      'ую',
      'ям',
      'ых',
      'ея',
      'ам',
      'ем',
      'еи',
    ].concat([
      'ев',
      'ии',
      'им',
      'ое',
      'ои',
      'ом',
      'ов',
      'ые',
      'ыи',
      'ым',
      'ми',
      'ів',
      'ія',
      'ію',
      'ії',
      'єю',
      'єм',
    ]),
  ],
  [4, ['а', 'е', 'и', 'о', 'у', 'ы', 'ь', 'я', 'ю', 'і', 'є']],
]

/** Takes the endings of nouns and adjectives off a Russian or Ukrainian word, so that its cases and numbers meet. */
export function stemCyrillic(word: string): string {
  return withoutSoftSign(withoutEnding(word))
}

function withoutEnding(word: string): string {
  for (const [shortest, endings] of ENDINGS) {
    const ending = word.length >= shortest ? endings.find((ending) => word.endsWith(ending)) : undefined
    if (ending !== undefined) return word.slice(0, -ending.length)
  }
  return word
}

function withoutSoftSign(word: string): string {
  if (word.length <= 3) return word
  if (word.endsWith('нн')) return word.slice(0, -1)
  return /[ьиі]$/.test(word) ? word.slice(0, -1) : word
}
