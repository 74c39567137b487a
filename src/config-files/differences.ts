import { diff } from 'node:util'
import type { Change } from './apply-config.ts'
import { toYaml } from './export-config.ts'

const SIGNS = { added: '+', changed: '~', removed: '-' } as const
/** The number of unchanged lines around each change. */
const AROUND = 2

/** Writes what changes: a line for each object, and below it the lines of its YAML that go and come. */
export function differences(changes: readonly Change[]): string[] {
  return changes.flatMap(({ action, kind, name, before, after }) => [
    `${SIGNS[action]} ${kind} ${name}`,
    ...changedLines(before === null ? '' : toYaml(before), after === null ? '' : toYaml(after)),
  ])
}

function changedLines(before: string, after: string): string[] {
  const lines = diff(linesOf(before), linesOf(after))
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(([sign]) => sign !== 0)
  return lines.flatMap(([sign, line], at) =>
    isNear(at) ? [`  ${sign === 0 ? ' ' : sign > 0 ? '-' : '+'} ${line}`] : [],
  )
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.trimEnd().split('\n')
}
