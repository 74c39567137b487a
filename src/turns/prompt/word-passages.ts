import type { RetrievedContext } from '../../knowledge/retrieve-context.ts'
import { bordered } from '../../model/bordered.ts'
import { CITE, FITS_HARDLY, FITS_NOTHING } from './wording.ts'

/**
 * Words what was found for a question, as a model reads it.
 * @param code of the marks around each passage; authors of documents must not know it
 */
export function wordFindings(found: RetrievedContext, code: string): string {
  if (found.passages.length === 0) return FITS_NOTHING
  return [CITE, ...(found.fits ? [] : [FITS_HARDLY]), ...wordPassages(found, code)].join('\n\n')
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
