import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Message } from '../../../console/api/types.ts'
import { textOf } from '../../../console/pages/inbox/thread/text-of-message.ts'

const file = { kind: 'file', state: 'stored' }

describe('the text of a message in the thread', () => {
  for (const { what, message, shown } of [
    { what: 'of a file', message: { content: '[file: invoice.pdf]' }, shown: '' },
    { what: 'of a file with brackets in its name', message: { content: '[file: a[1].pdf]' }, shown: '' },
    {
      what: 'of files before a text',
      message: { content: '[image] [file: a[1].pdf] Both of them [sic]' },
      shown: 'Both of them [sic]',
    },
    {
      what: 'of files that redaction has deleted',
      message: {
        kind: 'text',
        content: '[IMAGE] [FILE] Thanks',
        attachments: [{ ...file, state: 'deleted' }],
      },
      shown: 'Thanks',
    },
  ])
    it(`leaves out the words ${what}`, () => {
      const whole = { kind: 'file', attachments: [file], ...message } as unknown as Message
      assert.equal(textOf(whole), shown)
    })

  it('keeps words in brackets that a person wrote, where no file stands for them', () => {
    const written = { kind: 'text', content: '[file: a[1].pdf]' }
    for (const attachments of [undefined, [file]])
      assert.equal(textOf({ ...written, attachments } as unknown as Message), '[file: a[1].pdf]')
  })
})
