import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { modelKinds } from '../../../src/lib/model-kinds.ts'
import { createOutbound, parsePrivateTargets } from '../../../src/lib/outbound/outbound.ts'
import { checkModelServer } from '../../../src/model/check-model-server.ts'
import { ModelError } from '../../../src/model/model.ts'
import { otherKindOf } from '../../../src/model/other-kind.ts'
import { startModelServer } from '../../support/model-server.ts'

const outbound = createOutbound({ privateTargets: parsePrivateTargets('') })
const http = outbound.of(null)
after(() => outbound.close())

describe('checkModelServer', () => {
  for (const kind of modelKinds)
    for (const asked of modelKinds)
      it(`a server of the kind ${kind} that is asked as ${asked}`, async () => {
        await using server = await startModelServer({ kind })
        const given = { kind: asked, url: server.url, apiKey: 'sk-1', name: 'test-model', trusted: true }
        const found = checkModelServer(given, http, false).catch((error: Error) => error.message)
        if (asked === kind) assert.match(await found, /^(?:the server lists test-model|test-model answers)$/)
        // Nothing but a well-known address tells Azure from OpenAI.
        else if (kind === 'azure') assert.doesNotMatch(await found, /lists|answers|of the kind/)
        else
          assert.match(
            await found,
            new RegExp(`status 40\\d.*; it is a server of the kind ${kind}:|^test-model answers$`),
          )
      })
})

it('checkModelServer tells of a server that refuses the tools it is offered', async () => {
  await using server = await startModelServer()
  const given = { kind: 'openai', url: server.url, apiKey: null, name: 'test-model', trusted: true } as const
  assert.equal(await checkModelServer(given, http, true), 'test-model answers and takes tools')
  server.answerFor = ({ tools }) =>
    tools ? { status: 400, raw: { body: '{"error":{"message":"no tools here"}}' } } : { text: 'Hello' }
  await assert.rejects(checkModelServer(given, http, true), /answers but refuses tools.*: no tools here$/)
  assert.match(await checkModelServer(given, http, false), /^the server lists test-model$/)
})

describe('otherKindOf', () => {
  const refused = new ModelError('status', 'no', { status: 401 })
  for (const [url, kind] of [
    ['https://api.openai.com/v1', 'openai'],
    ['https://api.anthropic.com', 'anthropic'],
    ['https://name.services.ai.azure.com/anthropic/v1', 'anthropic'],
    ['https://generativelanguage.googleapis.com/v1beta', 'gemini'],
    ['https://generativelanguage.googleapis.com/v1beta/openai', 'openai'],
    ['https://name.openai.azure.com', 'azure'],
  ] as const)
    it(`knows ${url}, and asks nobody`, async () => {
      const server = { url, apiKey: null, name: 'm', trusted: false }
      for (const asked of modelKinds)
        assert.equal(
          await otherKindOf({ ...server, kind: asked }, refused, undefined as never),
          asked === kind ? null : kind,
        )
    })

  it('does not look for another kind of a server that is busy or away', async () => {
    const server = {
      kind: 'gemini',
      url: 'https://api.openai.com',
      apiKey: null,
      name: 'm',
      trusted: false,
    } as const
    for (const error of [new ModelError('unreachable', 'x'), new ModelError('status', 'x', { status: 429 })])
      assert.equal(await otherKindOf(server, error, undefined as never), null)
  })
})
