import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, type ErrorCode, errorTable } from '../../src/errors.ts'
import { toApiError } from '../../src/http/server.ts'

const never = () => false

describe('the table of errors', () => {
  for (const [code, [status, message]] of Object.entries(errorTable)) {
    it(`${code}: a status of an error, a type, words`, () => {
      assert.ok(Number.isInteger(status) && status >= 400 && status <= 599)
      assert.match(message, /^[A-Z].*\.$/)
      const error = new ApiError(code as ErrorCode)
      assert.equal(error.status, status)
      const { error: told, request_id } = error.body('req_1')
      assert.match(told.type, /^[a-z_]+_error$/)
      assert.deepEqual({ ...told, type: '' }, { message, type: '', param: null, code })
      assert.equal(request_id, 'req_1')
    })
  }
})

it('unavailable says when to come again, unless somebody knows better', () => {
  assert.deepEqual(new ApiError('unavailable', { message: 'Not now.' }).headers, { 'retry-after': '5' })
  const headers = { 'retry-after': '1' }
  assert.deepEqual(new ApiError('unavailable', { headers }).headers, headers)
  assert.deepEqual(new ApiError('not_found').headers, {})
})

describe('toApiError', () => {
  it('keeps an ApiError, with its own words, its field and its headers', () => {
    const error = new ApiError('invalid_request', { message: 'Not so.', param: 'n', headers: { a: 'b' } })
    assert.equal(toApiError(error, never), error)
    assert.deepEqual(error.body('r').error, {
      message: 'Not so.',
      type: 'invalid_request_error',
      param: 'n',
      code: 'invalid_request',
    })
  })

  it('tells nothing of an error that it does not know', () => {
    for (const thrown of [new Error('hunter2'), 'hunter2', { statusCode: 500, message: 'hunter2' }]) {
      const answer = toApiError(thrown, never)
      assert.equal(answer.code, 'internal_error')
      assert.ok(!JSON.stringify(answer.body('r')).includes('hunter2'))
    }
  })

  it('makes a database that is away a 503 with Retry-After', () => {
    const answer = toApiError(new Error('hunter2'), () => true)
    assert.deepEqual([answer.code, answer.status, answer.headers['retry-after']], ['unavailable', 503, '5'])
  })

  for (const [code, expected] of [
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_CTP_EMPTY_JSON_BODY', 'invalid_json'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 'invalid_json'],
    ['FST_ERR_NOT_FOUND', 'not_found'],
    ['FST_ERR_OF_A_NEW_KIND', 'invalid_request'],
  ] as const) {
    it(`${code} is ${expected}`, () => {
      const error = Object.assign(new Error('hunter2'), { code, statusCode: 400 })
      const answer = toApiError(error, never)
      assert.equal(answer.code, expected)
      assert.ok(!answer.message.includes('hunter2'))
    })
  }
})
