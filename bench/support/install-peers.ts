import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/**
 * Installs packages that benches compare with, and that Parley itself does not need, unless they are there. Their
 * install scripts do not run.
 * @param folder a path that ends in a slash
 * @param versions the versions by package name
 */
export function installPeers(folder: string, versions: Record<string, string>): void {
  const missing = Object.entries(versions).filter(([name, version]) => installed(folder, name) !== version)
  if (missing.length === 0) return
  mkdirSync(folder, { recursive: true })
  if (!existsSync(`${folder}package.json`)) writeFileSync(`${folder}package.json`, '{"private":true}\n')
  const wanted = missing.map(([name, version]) => `${name}@${version}`)
  const options = ['--prefix', folder, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', ['install', ...options, ...wanted], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Loads an installed package. @param folder as `installPeers` takes it */
export async function importPeer<Package>(folder: string, name: string): Promise<Package> {
  return (await import(pathToFileURL(createRequire(folder).resolve(name)).href)) as Package
}

function installed(folder: string, name: string): string | undefined {
  const path = `${folder}node_modules/${name}/package.json`
  if (!existsSync(path)) return undefined
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}
