import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { ModelError, type ModelPiece, type ModelRequest } from '../../../src/model/model.ts'
import { type ServedModelOptions, servedModel } from '../../../src/model/served-model.ts'
import { startModelServer } from '../../support/model-server.ts'

/** The model server that calls go to unless told otherwise; as new for each test. */
export const server = await startModelServer()
const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
afterEach(() => server.reset())
after(async () => {
  await outbound.close()
  await server.close()
})

export function model(options: Partial<ServedModelOptions> = {}) {
  return servedModel({
    kind: 'openai',
    url: server.url,
    apiKey: null,
    http: outbound.of(null),
    trusted: true,
    ...options,
  })
}

export function prompt(content: string): ModelRequest {
  return { model: 'm', messages: [{ role: 'user', content }], parameters: {} }
}

/** A signal that never fires. */
export const idle = () => new AbortController().signal

/** All pieces of an answer. */
export async function collect(
  content: string,
  options: Partial<ServedModelOptions> = {},
  signal = idle(),
): Promise<ModelPiece[]> {
  const pieces: ModelPiece[] = []
  for await (const batch of model(options).stream(prompt(content), signal)) {
    assert.ok(batch.length > 0)
    pieces.push(...batch)
  }
  return pieces
}

/** The error has the reason, and its message nothing of what the server said. */
export function failure(reason: ModelError['reason']) {
  return (error: unknown) => {
    assert.ok(error instanceof ModelError, String(error))
    assert.equal(error.reason, reason)
    assert.doesNotMatch(error.message, /secret|oops|html|127\.0\.0\.1/)
    return true
  }
}
