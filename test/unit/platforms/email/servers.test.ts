import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mailError } from '../../../../src/platforms/email/servers.ts'

it('a failure is told by the code of the library', () => {
  const toldOf = (error: object) => {
    const { outcome, reason, message } = mailError(error, 'not_sent')
    return [outcome, reason, message.replace('the mail server cannot be used: ', '')]
  }
  assert.deepEqual(toldOf({ code: 'EAUTH', responseCode: 535 }), [
    'refused',
    'unauthorized',
    'it refuses the user name or the password',
  ])
  assert.deepEqual(toldOf({ code: 'GREETING_TIMEOUT' }), [
    'not_sent',
    'too_slow',
    'it does not answer in time',
  ])
  assert.deepEqual(toldOf({ code: 'ECONNREFUSED' }), ['not_sent', 'unreachable', 'it cannot be reached'])
  assert.deepEqual(toldOf({ code: 'EMESSAGE' }), ['not_sent', 'rejected', 'it refuses the letter'])
  assert.deepEqual(toldOf({ code: 'ECONNRESET' }), ['not_sent', 'unreachable', 'the connection failed'])
})
