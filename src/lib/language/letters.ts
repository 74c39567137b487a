import { isAscii } from './scripts.ts'

/** Letters, endings and other runs that are usual in some languages and rare in the others of the same script. */
const HINTS: readonly [pattern: string, languages: string, weight: number][] = [
  ['ß', 'de', 2],
  ['[äöü]', 'de sv fi et', 0.3],
  ['ü', 'de tr hu et es', 0.2],
  ['ñ', 'es', 1.5],
  ['[¿¡]', 'es', 3],
  ['[ãõ]', 'pt', 1.5],
  ['[õ]', 'et', 1],
  ['ç', 'fr pt tr ca', 0.3],
  ['[œèêîûëï]', 'fr', 0.5],
  ['[èòàùì](?![a-z])', 'it', 0.6],
  ['l·l', 'ca', 3],
  ['[åÅ]', 'sv da no', 0.6],
  ['[æøÆØ]', 'da no', 1],
  ['[őű]', 'hu', 2],
  ['[łżźśćńąę]', 'pl', 0.8],
  ['ł', 'pl', 1.5],
  ['[řěů]', 'cs', 2],
  ['[ľĺŕ]', 'sk', 1.5],
  ['[ôä]', 'sk', 0.2],
  ['[čšž]', 'cs sk hr lt et', 0.3],
  ['[đćč]', 'hr', 0.4],
  ['[ğı]', 'tr', 1.5],
  ['ş', 'tr ro', 0.5],
  ['[șțţ]', 'ro', 2],
  ['ă', 'ro vi', 0.6],
  ['[ėųūįęą]', 'lt', 0.6],
  ['[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđ]', 'vi', 1],
  ['(?:ung|keit|heit|lich|isch|chen)(?:en|e|er|es)?(?![\\p{L}])', 'de', 0.5],
  ['(?:tion|ing|ness|ful|ly)(?![\\p{L}])', 'en', 0.3],
  ["(?:n't|'s|'m|'ve|'ll|'re)(?![\\p{L}])", 'en', 1],
  ["(?<![\\p{L}])(?:[cdjlmnst]|qu)'\\p{L}", 'fr it ca', 0.7],
  ['(?:tion|ment|eux|eau|eurs?|ez|aient)(?![\\p{L}])', 'fr', 0.3],
  ['(?:ción|ciones|mente|dad|ando|iendo)(?![\\p{L}])', 'es', 0.5],
  ['(?:ção|ções|mente|dade|inho|agem)(?![\\p{L}])', 'pt', 0.6],
  ['(?:zione|zioni|mente|ità|ggio|etto|amo)(?![\\p{L}])', 'it', 0.6],
  ['(?:heid|lijk|ijk|tje|ing|aar|oe)(?![\\p{L}])|ij|aa|uu', 'nl', 0.3],
  ['(?:ssa|ssä|lla|llä|sta|stä|nen|iin|ään|een|kin|ksi|mme|tte|taan)(?![\\p{L}])', 'fi', 0.5],
  ['(?:yy|ää|uo|yö|kk|tt)', 'fi', 0.2],
  ['(?:ning|het|orna|arna|else|ar)(?![\\p{L}])', 'sv', 0.2],
  ['(?:tion|sjon|ene|else)(?![\\p{L}])', 'no da', 0.1],
  ['sjon|kj|skj|øy|ei', 'no', 0.3],
  ['(?:ud|ød|ej|af)(?![\\p{L}])|sion', 'da', 0.3],
  ['(?:ów|ami|ego|ych|nie|ować|ość)(?![\\p{L}])|(?:sz|cz|rz)', 'pl', 0.3],
  ['(?:lar|ler|ları|leri|dır|dir|yor|mak|mek|ım|im|um)(?![\\p{L}])', 'tr', 0.4],
  ['(?:ság|ség|nak|nek|ban|ben|hoz|hez|kat|ket|tam|tem)(?![\\p{L}])|(?:sz|gy|ny)', 'hu', 0.3],
  ['(?:kan|nya|lah|an)(?![\\p{L}])|(?<![\\p{L}])(?:me[nmr]|ber|pe[nmr]|ter|di)', 'id', 0.2],
  ['(?:ului|elor|ilor|ție|esc|ească)(?![\\p{L}])', 'ro', 0.5],
  ['[їєґі]', 'uk', 2],
  ['[ыэё]', 'ru', 1.5],
  ['(?:ться|ть|ого|ему|ий|ые|ая|ую)(?![\\p{L}])', 'ru', 0.6],
  ['[љњћђџј]', 'sr', 2],
  ['ъ', 'bg', 0.8],
  ['(?:та|то|ът|те|ите)(?![\\p{L}])', 'bg', 0.4],
  ['[پچژگ]', 'fa ur', 1],
  ['[ٹڈڑںےہھ]', 'ur', 2],
  ['[ةىأإ]', 'ar', 1],
  ['(?<![\\p{L}])ال', 'ar', 0.7],
  ['ळ', 'mr', 2],
]

/** The most occurrences of a hint that count: one long word must not outweigh a sentence. */
const MOST = 4

const hints = HINTS.map(
  ([pattern, languages, weight]) => [new RegExp(pattern, 'giu'), languages.split(' '), weight] as const,
)
/** Hints that can match ASCII text. */
const hintsOfAscii = hints.filter(([pattern]) => pattern.source.split('|').some(isAscii))

/** Votes for languages by the letters of a text. */
export function letterVotes(text: string, vote: (language: string, weight: number) => void): void {
  for (const [pattern, languages, weight] of isAscii(text) ? hintsOfAscii : hints) {
    const count = Math.min(MOST, text.match(pattern)?.length ?? 0)
    if (count > 0) for (const language of languages) vote(language, weight * count)
  }
}
