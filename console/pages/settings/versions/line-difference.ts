export interface Line {
  kind: 'same' | 'removed' | 'added' | 'left-out'
  text: string
}

/** The number of lines shown around a change. */
const AROUND = 2
/** The most pairs of lines for which texts are compared line by line. */
const MOST_PAIRS = 1_000_000

/** Returns the differences of two texts line by line; of longer equal parts, only the ends. */
export function lineDifference(before: string, after: string): Line[] {
  const [old, young] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < young.length && old[start] === young[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < young.length - start &&
    old[old.length - 1 - end] === young[young.length - 1 - end]
  )
    end++
  const middle = compare(old.slice(start, old.length - end), young.slice(start, young.length - end))
  const same = (texts: string[]): Line[] => texts.map((text) => ({ kind: 'same', text }))
  return shorten([...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))])
}

/** Compares by the longest common subsequence of lines. */
function compare(old: string[], young: string[]): Line[] {
  const removed = (text: string): Line => ({ kind: 'removed', text })
  const added = (text: string): Line => ({ kind: 'added', text })
  if (old.length * young.length > MOST_PAIRS) return [...old.map(removed), ...young.map(added)]
  const width = young.length + 1
  const common = new Uint32Array((old.length + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = young.length - 1; column >= 0; column--)
      common[row * width + column] =
        old[row] === young[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < young.length) {
    const [gone, come] = [old[row], young[column]]
    if (gone !== undefined && gone === come) {
      lines.push({ kind: 'same', text: gone })
      row++
      column++
    } else if (gone !== undefined && (come === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(removed(gone))
      row++
    } else {
      lines.push(added(come ?? ''))
      column++
    }
  }
  return lines
}

function shorten(lines: Line[]): Line[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  return lines.flatMap((line, at): Line[] => {
    if (isNear[at]) return [line]
    return at === 0 || isNear[at - 1] ? [{ kind: 'left-out', text: '…' }] : []
  })
}
