/**
 * A tree of words over small numbers, stored as a double array, so that a step is one addition and one comparison: a
 * node's child for a symbol is at `base[node] + symbol`, if the `parent` there is the node. The root is 0.
 */
interface Trie {
  base: Int32Array
  parent: Int32Array
  /** One more than the index of the word that ends at the node, or 0. */
  word: Int32Array
}

interface Branch {
  children: Map<number, Branch>
  word: number
}

/** Compiles words into a tree. Each word is a list of symbols from 1 to `symbols`. */
export function compileTrie(words: readonly (readonly number[])[], symbols: number): Trie {
  const root: Branch = { children: new Map(), word: 0 }
  words.forEach((word, index) => {
    let branch = root
    for (const symbol of word) {
      let next = branch.children.get(symbol)
      if (!next) {
        next = { children: new Map(), word: 0 }
        branch.children.set(symbol, next)
      }
      branch = next
    }
    branch.word = index + 1
  })
  return layOut(root, symbols)
}

/**
 * Assigns each branch, starting with the shallow ones, the first base at which all of its children find free places.
 */
function layOut(root: Branch, symbols: number): Trie {
  let base = new Int32Array(symbols)
  let parent = new Int32Array(symbols).fill(-1)
  let word = new Int32Array(symbols)
  parent[0] = 0
  let free = 1
  let end = 1
  /** The node at which the last branch with each number of children found room: before it, hardly any is left. */
  const found: number[] = []
  const queue: { branch: Branch; node: number }[] = [{ branch: root, node: 0 }]
  for (const { branch, node } of queue) {
    // Children reach at most one largest step beyond the end, and a walk may look one such step further.
    if (parent.length < end + symbols * 2 + 2) {
      base = longer(base, 0)
      parent = longer(parent, -1)
      word = longer(word, 0)
    }
    word[node] = branch.word
    const steps = [...branch.children.keys()]
    if (steps.length === 0) continue
    while (parent[free] !== -1) free++
    const first = Math.min(...steps)
    let place = Math.max(first, free, found[steps.length] ?? 0) - first
    while (!areFree(parent, place, steps)) place++
    found[steps.length] = place + first
    base[node] = place
    for (const [step, child] of branch.children) {
      parent[place + step] = node
      end = Math.max(end, place + step + 1)
      queue.push({ branch: child, node: place + step })
    }
  }
  return { base, parent, word }
}

function areFree(parent: Int32Array, place: number, steps: readonly number[]): boolean {
  for (const step of steps) if (parent[place + step] !== -1) return false
  return true
}

function longer(table: Int32Array, missing: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(table.length * 4).fill(missing, table.length)
  copy.set(table)
  return copy
}
