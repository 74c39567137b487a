/** Separators that may stand between the groups of a number. */
const SEPARATORS = ' -./'
const LONGEST_GROUP = 31
/** The largest number of next nodes of a node: one for each separator and each length of a group. */
const EDGES = SEPARATORS.length * (LONGEST_GROUP + 1)

/** The index of each separator; -1 for other characters. */
const PLACES = new Int8Array(128).fill(-1)
for (let at = 0; at < SEPARATORS.length; at++) PLACES[SEPARATORS.charCodeAt(at)] = at

/**
 * A tree of number layouts that is walked group by group. A number without a known layout is dismissed at its first
 * group.
 */
export interface Shapes<T> {
  /** Returns the node after a first group of this many digits; 0 if there is none. */
  first(digits: number): number
  /** Returns the node after a separator and one more group; 0 if there is none. */
  next(node: number, separator: number, digits: number): number
  /** Returns the values of the layouts that end at a node. */
  at(node: number): readonly T[]
}

/** Builds the tree from layouts such as `4 4 4 4` or `3.3.3-2`. */
export function compileShapes<T>(entries: readonly { shape: string; value: T }[]): Shapes<T> {
  const edges: number[] = new Array(EDGES).fill(0)
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
      if (edges[edge] === 0) {
        edges[edge] = values.push([]) - 1
        for (let at = 0; at < EDGES; at++) edges.push(0)
      }
      node = edges[edge] as number
    }
    ;(values[node] as T[]).push(value)
  }
  const table = Uint16Array.from(edges)
  return {
    first: (digits) => (digits > LONGEST_GROUP ? 0 : (table[edgeOf(0, 0, digits)] as number)),
    next: (node, separator, digits) => {
      const place = separator < 128 ? (PLACES[separator] as number) : -1
      return place < 0 || digits > LONGEST_GROUP ? 0 : (table[edgeOf(node, place, digits)] as number)
    },
    at: (node) => values[node] as T[],
  }
}

function edgeOf(node: number, separator: number, digits: number): number {
  return node * EDGES + separator * (LONGEST_GROUP + 1) + digits
}
