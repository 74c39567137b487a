import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

/** The packages that the bench compares with, at exact versions. */
export const PEERS: Record<string, string> = {
  'redact-pii': '3.4.0',
  openredaction: '1.1.5',
  '@redactpii/node': '1.0.17',
  '@openai/guardrails': '0.2.1',
}

const CACHE = fileURLToPath(new URL('../.peers/', import.meta.url))

/** Installs the peers into `bench/.peers/`, without their install scripts, unless they are there already. */
export function installPeers(): void {
  const missing = Object.entries(PEERS).filter(([name, version]) => installedVersion(name) !== version)
  if (missing.length === 0) return
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(`${CACHE}package.json`, '{"private":true}\n')
  const wanted = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`)
  const options = ['--prefix', CACHE, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, ...wanted], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Loads a peer's module out of the cache. */
export function requirePeer(path: string): unknown {
  return createRequire(`${CACHE}package.json`)(path)
}

function installedVersion(name: string): string | undefined {
  const path = `${CACHE}node_modules/${name}/package.json`
  if (!existsSync(path)) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
