import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'
import { indexWords } from '../../../src/language/words/words.ts'
import { composeAnswer } from '../../../src/model/compose-answer.ts'

/** Answers a question from a text that is one passage. */
function answerTo(question: string, text: string): string {
  const words = indexWords(question).map((word) => ({ word, weight: 1, passages: 1 }))
  const about = { id: 1, source: 'a', title: 'A', url: null, heading: '', anchor: '' }
  const found = { score: 2, coverage: 1, confidence: 1, similarity: null }
  return composeAnswer({ words, passages: [{ ...about, text, ...found }], threshold: 0.47 }).text
}

const passageOf = (markdown: string) => readDocument(markdown, 'markdown').passages[0]?.text ?? ''
const filler = 'Nobody asks for this sentence, which only makes the text long. '.repeat(16).trim()

/** Steps of about so many characters, of which one has the word that is asked for. */
function steps(count: number, length: number, asked: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const text = at + 1 === asked ? 'Press the descaling button.' : 'Wait for the light.'
    return `${at + 1}. ${text} ${'And so on. '.repeat(Math.ceil((length - text.length) / 11))}`.trim()
  })
}

describe('an answer from a long passage', () => {
  test('has all steps of a list in which one has the words', () => {
    const list = steps(14, 50, 3)
    const text = `${filler}\n\nDo this:\n\n${list.join('\n')}\n\n${filler}`
    assert.equal(answerTo('descaling button', text), `Do this:\n\n${list.join('\n')}`)
  })

  test('has steps that stand apart as well, with the code between them', () => {
    const parts = ['1. Stop it.', '```\nnpm stop\n```', '2. Press the descaling button.', '3. Start it.']
    const text = `${filler}\n\n${parts.join('\n\n')}\n\n${filler}`
    assert.equal(answerTo('descaling button', text), parts.join('\n\n'))
  })

  test('says where a list is cut', () => {
    const list = steps(14, 100, 3)
    const first = answerTo('descaling button', `${list.join('\n')}\n\n${filler}`)
    assert.match(first, /^1\. Wait[^…]+\n3\. Press[^…]+\n8\. [^…]+\n…$/)
    const last = answerTo('descaling button', `${filler}\n\n${steps(14, 100, 13).join('\n')}`)
    assert.match(last, /^…\n13\. Press[^…]+\n14\. [^…]+$/)
  })

  test('goes on to the end of the paragraph', () => {
    const paragraph = 'A kettle has a warranty. It lasts for two years.'
    assert.equal(answerTo('warranty', `${filler}\n\n${paragraph}\n\n${filler}`), paragraph)
  })

  test('has what stands behind a question', () => {
    const entries = ['How do I pay?', 'Where do you ship?', 'How long is the warranty?'].map(
      (question, at) => `${question}\n\nAnswer ${at + 1}. ${filler.slice(0, 300)}.`,
    )
    const answer = answerTo(
      'How do I pay?',
      passageOf(`# FAQ\n\n${filler.slice(0, 200)}.\n\n${entries.join('\n\n')}`),
    )
    assert.match(answer, /How do I pay\?\n\nAnswer 1\. Nobody/)
    assert.match(
      answerTo(
        'How do I pay?',
        `${filler}\n\nHow do I pay?\n\nBy one of these:\n\n- card\n- invoice\n\n${filler}`,
      ),
      /^How do I pay\?\n\nBy one of these:\n\n- card\n- invoice$/,
    )
  })
})
