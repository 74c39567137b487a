import { createHash } from 'node:crypto'

const LONGEST = 64

/**
 * Makes the name by which models call a tool of a server: `<server>_<tool>`, of letters that models may use. It does
 * not depend on what other servers offer, unless the name is taken.
 */
export function modelNameOf(server: string, tool: string, taken: ReadonlySet<string>): string {
  const plain = `${server}_${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_')
  if (plain.length <= LONGEST && !taken.has(plain)) return plain
  for (let tries = 0; ; tries++) {
    const hash = createHash('sha256')
      .update(JSON.stringify([server, tool, tries]))
      .digest('hex')
      .slice(0, 8)
    const name = `${plain.slice(0, LONGEST - 9)}_${hash}`
    if (!taken.has(name)) return name
  }
}
