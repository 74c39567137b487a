import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { installPeers } from '../support/install-peers.ts'

/** The packages that the bench compares with, at exact versions. */
export const PEERS: Record<string, string> = {
  'redact-pii': '3.4.0',
  openredaction: '1.1.5',
  '@redactpii/node': '1.0.17',
  '@openai/guardrails': '0.2.1',
}

const CACHE = fileURLToPath(new URL('../.peers/', import.meta.url))

export function installRedactors(): void {
  installPeers(CACHE, PEERS)
}

/** Loads a peer's module from the cache. */
export function requirePeer(path: string): unknown {
  return createRequire(`${CACHE}package.json`)(path)
}
