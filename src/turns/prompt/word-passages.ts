import type { RetrievedContext } from '../../knowledge/retrieve-context.ts'
import { bordered } from '../../model/bordered.ts'
import { CITE, FITS_HARDLY, FITS_NOTHING, PASSAGES } from './wording.ts'

/**
 * Words what was found for a question, as a model reads it: a text for each passage, the first one with what holds for
 * all of them, so that the last ones can be left out.
 * @param code of the marks around each passage; authors of documents must not know it
 * @param cites true if the answer is to say which passages it used
 */
export function wordFindings(found: RetrievedContext, code: string, cites: boolean): string[] {
  const [first, ...others] = wordPassages(found, code)
  if (first === undefined) return [FITS_NOTHING]
  const said = [[PASSAGES, ...(cites ? [CITE] : [])].join(' '), ...(found.fits ? [] : [FITS_HARDLY])]
  return [[...said, first].join('\n\n'), ...others]
}

/**
 * Words each passage by itself, with the number by which answers cite it.
 * @param first the number of the first passage
 */
export function wordPassages(
  { passages, citations }: Pick<RetrievedContext, 'passages' | 'citations'>,
  code: string,
  first = 1,
): string[] {
  return passages.map(({ title, heading, text }, at) => {
    const number = first + at
    const url = citations[at]?.url
    const name = [title, heading].filter(Boolean).join(' › ')
    return bordered(`passage ${number}`, `[${number}] ${name}${url ? ` (${url})` : ''}\n${text}`, code)
  })
}
