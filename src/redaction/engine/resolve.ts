import type { Finding, Strength } from './finding.ts'

const RANK: Record<Strength, number> = { alone: 3, checked: 2, context: 1, again: 1, learned: 1 }

/**
 * Makes findings disjoint and ordered. Overlapping findings become one that covers them all, so that no part of any of
 * them is left in the text. It takes the type with the strongest evidence, then of the longest finding, then of the
 * first.
 */
export function resolve(findings: Finding[]): Finding[] {
  if (findings.length < 2) return findings
  findings.sort((a, b) => a.start - b.start || b.end - a.end)
  const resolved: Finding[] = []
  let leader = findings[0] as Finding
  let { start, end } = leader
  for (let at = 1; at < findings.length; at++) {
    const next = findings[at] as Finding
    if (next.start < end) {
      end = Math.max(end, next.end)
      if (outranks(next, leader)) leader = next
      continue
    }
    resolved.push(leader.start === start && leader.end === end ? leader : { ...leader, start, end })
    leader = next
    start = next.start
    end = next.end
  }
  resolved.push({ ...leader, start, end })
  return resolved
}

function outranks(a: Finding, b: Finding): boolean {
  return RANK[a.strength] - RANK[b.strength] > 0
    ? a.end - a.start >= (b.end - b.start) / 2
    : RANK[a.strength] === RANK[b.strength] && a.end - a.start > b.end - b.start
}
