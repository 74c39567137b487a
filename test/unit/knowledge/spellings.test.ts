import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { addDocument } from '../../../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../../../src/knowledge/search/search.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const DOCUMENTS = [
  ['Netzwerk', 'Das Kabel gehört in die Buchse.'],
  ['Rückgabe', 'Ware geht kostenlos zurück.'],
  ['Oeffnungszeiten', 'Montag bis Freitag.'],
  ['Возврат', 'Деньги приходят через неделю.'],
  ['Âm lượng', 'Xoay nút bên phải.'],
  ['Giá bò', 'Bò: 200.000 đồng.'],
  ['Giá bơ', 'Bơ: 100.000 đồng.'],
  ['Số tài khoản', 'Xem trên hoá đơn.'],
  ['Adapter', 'An adapter is in the box.'],
  ['Refund', 'Money comes back within a week.'],
  ['Capitals', 'Names are written in capitals.'],
  ['Image size', 'At most 5 MB.'],
  ['Address', 'Where it is sent.'],
  ['Email', 'Goes to the team.'],
  ['Login', 'By a code.'],
] as const

for (const engine of engines) {
  describe(`questions in other spellings on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let agentId: number
    const search = (question: string, without: number[] = []) =>
      searchKnowledge(database().db, agentId, question, 3, without)
    const found = async (question: string) => (await search(question)).passages[0]?.title

    before(async () => {
      ;({ agentId } = await database()
        .db.transaction()
        .execute((db) => createAgent(db, { name: 'Test', teamId: null, nowMs: 0 })))
      for (const [title, content] of DOCUMENTS)
        await addDocument(database().db, agentId, { title, url: null, content, format: 'text' }, 0)
    })

    for (const [question, title, why] of [
      ['Netzwerkkabel', 'Netzwerk', 'a compound of words that the passages have'],
      ['Rueckgabe', 'Rückgabe', 'letters spelt out in the question'],
      ['Öffnungszeiten', 'Oeffnungszeiten', 'letters spelt out in the document'],
      ['vozvrat', 'Возврат', 'Latin letters for Cyrillic ones'],
      ['Âm lượng', 'Âm lượng', 'tone marks in both'],
      ['am luong', 'Âm lượng', 'no marks in the question'],
      ['giá bò', 'Giá bò', 'a mark tells words apart'],
      ['giá bơ', 'Giá bơ', 'another mark'],
      ['tien dong', 'Giá bò', 'a stroke that was not typed'],
      ['số', 'Số tài khoản', 'a word with marks that is a stop word without them'],
      ['Adaptern', 'Adapter', 'another ending'],
      ['refnud', 'Refund', 'two letters that changed places'],
      ['adress', 'Address', 'a letter typed once in place of twice'],
      ['emial', 'Email', 'two of the first letters that changed places'],
      ['lkogin', 'Login', 'one of the first letters too many'],
      ['size of a photo', 'Image size', 'another word of everyday'],
    ] as const) {
      test(`${question} finds ${title}: ${why}`, async () => {
        assert.equal(await found(question), title)
      })
    }

    test('a guess proves less than the word itself', async () => {
      const [exact, guessed] = [await search('refund'), await search('refnud')]
      assert.equal(exact.passages[0]?.coverage, 1)
      assert.ok((guessed.passages[0]?.coverage ?? 1) <= 0.5, String(guessed.passages[0]?.coverage))
    })

    test('a common word that no passage has is no slip of another', async () => {
      const { passages } = await search('moment')
      assert.deepEqual(passages, [])
      assert.deepEqual((await search('weekend')).passages, [])
    })

    test('passages that are left out spell nothing', async () => {
      const [refund] = (await search('refund')).passages
      assert.ok(refund)
      assert.deepEqual((await search('refnud', [refund.id])).passages, [])
      assert.deepEqual((await search('refund', [refund.id])).passages, [])
    })

    test('the words of a question are named as the passages have them', async () => {
      const { words } = await search('Netzwerkkabel Âm lượng')
      assert.deepEqual(
        words.map(({ word }) => word),
        ['netzwerk', 'kabel', 'luong'],
      )
    })
  })
}
