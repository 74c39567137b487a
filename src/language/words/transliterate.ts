/** The Latin letters that people type for folded Cyrillic ones of Russian, Ukrainian, Bulgarian and Serbian. */
const LATIN: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    б: 'b',
    в: 'v',
    г: 'g',
    ґ: 'g',
    д: 'd',
    ђ: 'dj',
    е: 'e',
    є: 'ye',
    ж: 'zh',
    з: 'z',
    и: 'i',
    і: 'i',
  },
  ...{
    ј: 'j',
    к: 'k',
    л: 'l',
    љ: 'lj',
    м: 'm',
    н: 'n',
    њ: 'nj',
    о: 'o',
    п: 'p',
    р: 'r',
    с: 's',
    т: 't',
    ћ: 'c',
  },
  ...{ у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', џ: 'dz', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e' },
  ...{ ю: 'yu', я: 'ya' },
}

/** The Cyrillic letter for each group of Latin ones. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{
    shch: 'щ',
    zh: 'ж',
    kh: 'х',
    ts: 'ц',
    ch: 'ч',
    sh: 'ш',
    yu: 'ю',
    ju: 'ю',
    iu: 'ю',
    ya: 'я',
    ja: 'я',
    ia: 'я',
  },
  ...{
    yo: 'е',
    jo: 'е',
    ye: 'е',
    je: 'е',
    a: 'а',
    b: 'б',
    c: 'ц',
    d: 'д',
    e: 'е',
    f: 'ф',
    g: 'г',
    h: 'х',
    i: 'и',
  },
  ...{
    j: 'и',
    k: 'к',
    l: 'л',
    m: 'м',
    n: 'н',
    o: 'о',
    p: 'п',
    q: 'к',
    r: 'р',
    s: 'с',
    t: 'т',
    u: 'у',
    v: 'в',
  },
  ...{ w: 'в', x: 'х', y: 'ы', z: 'з' },
}
/** Groups of up to four Latin letters that stand for one Cyrillic letter. */
const LATIN_LETTERS = /shch|[zkcs]h|ts|[yji][aueo]|[a-z]/g

/**
 * Returns the spellings of a folded word in the other of the two scripts, Latin or Cyrillic; none for a word with
 * letters of another script.
 */
export function transliterate(word: string): string[] {
  if (/^[a-z]+$/.test(word)) {
    const cyrillic = word.replace(LATIN_LETTERS, (letters) => CYRILLIC[letters] ?? letters)
    // `y` stands for й as well, which is folded to и.
    return cyrillic.includes('ы') ? [cyrillic, cyrillic.replaceAll('ы', 'и')] : [cyrillic]
  }
  const letters = Array.from(word, (letter) => LATIN[letter])
  return letters.every((letter) => letter !== undefined) ? [letters.join('')] : []
}
