#!/usr/bin/env node
// This file is JavaScript, so that any Node can run it and say when it is too old. It also turns on the compile cache
// before Node loads the TypeScript sources, so that the first start already fills the cache.
import module from 'node:module'
import v8 from 'node:v8'

const MAJOR_NEEDED = 26
const major = Number(process.versions.node.split('.')[0])

if (major < MAJOR_NEEDED) {
  process.stderr.write(`parley needs Node ${MAJOR_NEEDED} or newer; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // The kernel spares the first process of a container every signal that it does not listen to.
  if (process.pid === 1)
    for (const signal of ['SIGTERM', 'SIGINT'])
      process.once(signal, () => process.listenerCount(signal) > 0 || process.exit(1))
  // Later starts load compiled code: they are quicker, and need no compiler in memory.
  module.enableCompileCache()
  // Loading makes much garbage, which would grow the young generation, and an idle process never shrinks it again.
  v8.setFlagsFromString('--semi-space-growth-factor=1')
  const words = process.argv.slice(2)
  const { loadCommand, runCommand } = await import('./commands/command-line.ts')
  const command = await loadCommand(words)
  v8.setFlagsFromString('--semi-space-growth-factor=2')
  process.exitCode = await runCommand(command, words)
}
