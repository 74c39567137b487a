#!/usr/bin/env node
import module from 'node:module'

// Checks the Node version before anything is loaded that needs it.
const MAJOR_NEEDED = 26
const major = Number(process.versions.node.split('.')[0])

if (major < MAJOR_NEEDED) {
  process.stderr.write(`parley needs Node ${MAJOR_NEEDED} or newer; this is ${process.version}\n`)
  process.exitCode = 1
} else {
  // Starts after the first load compiled code: quicker, and without the compiler in memory.
  module.enableCompileCache()
  const { runCommandLine } = await import('./commands/command-line.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2))
}
