import { readPage } from '../formats/read-page.ts'
import { readSitemap } from '../formats/read-sitemap.ts'
import type { PassageRecord } from '../passage-store.ts'
import { type PreparedDocument, prepareDocument, type UnpreparedDocument } from './prepare-document.ts'

/** A prepared document without its passages. */
export type PreparedHead = Omit<PreparedDocument, 'batches'>

/** The tasks of knowledge's threads. `prepare` yields the head of a document first and then its batches. */
export const prepareTasks = {
  *prepare(document: UnpreparedDocument): Generator<PreparedHead | PassageRecord[]> {
    const { batches, ...head } = prepareDocument(document)
    yield head
    yield* batches
  },
  page: readPage,
  sitemap: readSitemap,
}
