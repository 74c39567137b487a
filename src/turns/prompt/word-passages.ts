import { aboutPassage } from '../../knowledge/about-passage.ts'
import type { RetrievedContext } from '../../knowledge/search/retrieve-context.ts'
import type { FurtherPassages } from '../../knowledge/search/search-further.ts'
import { bordered } from '../../model/bordered.ts'
import {
  CITE,
  FITS_HARDLY,
  FITS_NOTHING,
  FOUND_NO_MORE,
  FOUND_NOTHING,
  PASSAGES,
  SEARCH_FIRST,
} from './wording.ts'

/**
 * Words the findings for a question, as a model reads them: a text for each passage. The first text also has what
 * applies to all, so that the last ones can be left out.
 * @param code of the marks around each passage; authors of documents must not know it
 * @param cites true if the answer is to say which passages it used
 * @param maySearch true if the model may search by itself
 */
export function wordFindings(
  found: Omit<RetrievedContext, 'found'>,
  code: string,
  cites: boolean,
  maySearch: boolean,
): string[] {
  const [first, ...others] = wordPassages(found, code)
  const search = maySearch ? [SEARCH_FIRST] : []
  if (first === undefined) return [[FITS_NOTHING, ...search].join(' ')]
  const lead = [PASSAGES, ...(cites ? [CITE] : []), ...search].join(' ')
  return [[lead, ...(found.fits ? [] : [FITS_HARDLY]), first].join('\n\n'), ...others]
}

/**
 * Words the findings of a model that searched by itself.
 * @param known the numbers of passages that fit and that it was given before
 * @param first the number of the first new passage
 */
export function wordFurther(
  found: FurtherPassages,
  known: readonly number[],
  code: string,
  first: number,
): string {
  const { passages } = found
  if (passages.length === 0 && known.length === 0) return FOUND_NOTHING
  return [
    ...(known.length === 0 ? [] : [`You have already: ${known.map((number) => `[${number}]`).join(', ')}.`]),
    ...(passages.length === 0 ? [FOUND_NO_MORE] : wordPassages(found, code, first)),
  ].join('\n\n')
}

/**
 * Words each passage by itself, with the number by which answers cite it.
 * @param first the number of the first passage
 */
function wordPassages(
  { passages, citations }: Pick<RetrievedContext, 'passages' | 'citations'>,
  code: string,
  first = 1,
): string[] {
  return passages.map((passage, at) => {
    const number = first + at
    const url = citations[at]?.url
    const place = `${aboutPassage(passage)}${url ? ` (${url})` : ''}`
    return bordered(`passage ${number}`, `[${number}] ${place}\n${passage.text}`, code)
  })
}
