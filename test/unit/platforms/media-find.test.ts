import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PlatformHttp } from '../../../src/platforms/platform-http.ts'
import { platforms } from '../../../src/platforms/platforms.ts'

describe('the place of a file', () => {
  for (const [kind, settings, answer] of [
    ['messenger-one', { access_token: 'token', phone_number_id: '1' }, { id: '1' }],
    ['telegram', { bot_token: '1:token' }, { ok: true, result: { file_id: '1' } }],
  ] as const)
    it(`${kind}: is none when the platform names no address`, async () => {
      const http = {
        request: async () => ({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) }),
      } as unknown as PlatformHttp
      const { signal } = new AbortController()
      assert.equal(await platforms[kind].media?.find(http, settings as never, 'source', signal), null)
    })
})
