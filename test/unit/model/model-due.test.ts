import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ModelError } from '../../../src/model/model.ts'
import { modelDue } from '../../../src/model/model-due.ts'

const MINUTE_MS = 60_000

describe('modelDue', () => {
  const after = (error: Error, attempts = 1) => {
    const due = modelDue(error, attempts, 0)
    return due === null ? null : Date.parse(due) / MINUTE_MS
  }
  const status = (status: number, retryAfterMs: number | null = null) =>
    new ModelError('status', 'failed', { status, retryAfterMs })

  it('waits ever longer for a server that is away, or as long as that asks', () => {
    for (const [attempts, minutes] of [
      [1, 1],
      [2, 2],
      [5, 16],
      [50, 60],
    ] as const)
      assert.equal(after(new ModelError('unreachable', 'failed'), attempts), minutes, `attempt ${attempts}`)
    for (const code of [401, 429, 500, 503]) assert.equal(after(status(code)), 1, String(code))
    assert.equal(after(status(429, 5 * MINUTE_MS)), 5)
  })

  it('has no patience with what the request may cause', () => {
    for (const error of [
      status(400),
      status(413),
      status(422),
      new ModelError('protocol', 'failed'),
      new Error(),
    ])
      assert.equal(after(error), null, `${error.message} ${'status' in error ? error.status : ''}`)
  })
})
