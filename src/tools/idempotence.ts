import type { HttpSettings, NewTool } from './schemas.ts'

/** Returns whether calls of a new tool can be made again; undefined: its server says so for each of its tools. */
export function idempotenceOf(tool: NewTool): boolean | undefined {
  switch (tool.kind) {
    case 'http':
      return tool.idempotent ?? isSafe(tool)
    case 'mcp':
      return undefined
  }
}

/** Tells whether a method is safe: HTTP says that a GET changes nothing. */
export function isSafe({ method }: Pick<HttpSettings, 'method'>): boolean {
  return method === 'GET'
}
