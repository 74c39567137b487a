/** Separators that may stand between the groups of a number. */
const SEPARATORS = ' -./'
const LONGEST_GROUP = 31

/** A tree of number layouts, walked group by group, so that a number in no known layout is left at its first group. */
export interface Shapes<T> {
  /** The node after a first group of that many digits, 0 when there is none. */
  first(digits: number): number
  /** The node after one more group behind that separator, 0 when there is none. */
  next(node: number, separator: number, digits: number): number
  /** What is known of numbers that end here. */
  at(node: number): readonly T[]
}

/** Builds the tree from layouts such as `4 4 4 4` or `3.3.3-2`. */
export function compileShapes<T>(entries: readonly { shape: string; value: T }[]): Shapes<T> {
  const edges = new Map<number, number>()
  const values: T[][] = [[]]
  for (const { shape, value } of entries) {
    let node = 0
    let separator = 0
    for (const part of shape.split(/([ \-./])/)) {
      if (part.length === 1 && SEPARATORS.includes(part)) {
        separator = SEPARATORS.indexOf(part)
        continue
      }
      const edge = edgeOf(node, separator, Number(part))
      let next = edges.get(edge)
      if (next === undefined) {
        next = values.push([]) - 1
        edges.set(edge, next)
      }
      node = next
    }
    ;(values[node] as T[]).push(value)
  }
  const step = (node: number, separator: number, digits: number): number =>
    digits > LONGEST_GROUP ? 0 : (edges.get(edgeOf(node, separator, digits)) ?? 0)
  return {
    first: (digits) => step(0, 0, digits),
    next: (node, separator, digits) => {
      const kind = SEPARATORS.indexOf(String.fromCharCode(separator))
      return kind < 0 ? 0 : step(node, kind, digits)
    },
    at: (node) => values[node] as T[],
  }
}

function edgeOf(node: number, separator: number, digits: number): number {
  return (node * 4 + separator) * 32 + digits
}
