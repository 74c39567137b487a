/** A line of a plot. */
export interface Line {
  name: string
  /** The points in parts, between which nothing is drawn: a process that was killed and one that took its place. */
  parts: (readonly [seconds: number, value: number])[][]
}

interface Plot {
  title: string
  unit: string
  lines: Line[]
  seconds: number
  /** The times of kills, in seconds. */
  kills: readonly number[]
}

const [WIDTH, HEIGHT] = [640, 220]
const EDGE = { left: 52, right: 26, top: 10, bottom: 26 }
const STEPS = [1, 2, 2.5, 5, 10]
const TICKS = 4
/** The seconds from which times are told in minutes. */
const MINUTES = 180

/** Draws lines over time as SVG within a figure. Colours are those of the page's style. */
export function plot({ title, unit, lines, seconds, kills }: Plot): string {
  const values = lines.flatMap(({ parts }) => parts.flat().map(([, value]) => value))
  const step = niceStep(Math.max(...values, 0) / TICKS)
  const top = step * TICKS
  const x = (at: number) => EDGE.left + (at / seconds) * (WIDTH - EDGE.left - EDGE.right)
  const y = (value: number) => HEIGHT - EDGE.bottom - (value / top) * (HEIGHT - EDGE.top - EDGE.bottom)
  const rows = Array.from({ length: TICKS + 1 }, (_, tick) => {
    const at = y(tick * step).toFixed(1)
    return `<path class="grid" d="M${EDGE.left} ${at}H${WIDTH - EDGE.right}"/><text x="${EDGE.left - 8}" y="${at}" class="row">${short(tick * step)}</text>`
  })
  const unitOfTime = seconds < MINUTES ? 1 : 60
  const column = niceStep(seconds / unitOfTime / 6) * unitOfTime
  const columns = Array.from({ length: Math.floor(seconds / column) + 1 }, (_, tick) => {
    const at = tick * column
    return `<text x="${x(at).toFixed(1)}" y="${HEIGHT - 6}" class="column">${time(at, seconds)}</text>`
  })
  const marks = kills.map(
    (at) =>
      `<path class="kill" d="M${x(at).toFixed(1)} ${EDGE.top}V${HEIGHT - EDGE.bottom}"><title>kill -9 at ${time(at, seconds)}</title></path>`,
  )
  const paths = lines.map(({ name, parts }, at) => {
    const d = parts
      .map((part) =>
        part
          .map(([at, value], n) => `${n === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`)
          .join(''),
      )
      .join('')
    return `<path class="line c${at}" d="${d}"><title>${escaped(name)}</title></path>`
  })
  const legend = lines.map(({ name, parts }, at) => {
    const last = Math.max(0, ...parts.flat().map(([, value]) => value))
    return `<li class="c${at}">${escaped(name)} <small>at most ${short(last)}</small></li>`
  })
  return `<figure><figcaption>${escaped(title)} <small>${escaped(unit)}</small></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">${[...rows, ...columns, ...marks, ...paths].join('')}</svg>
<ul>${legend.join('')}</ul></figure>`
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

function niceStep(least: number): number {
  if (least <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  return power * (STEPS.find((step) => step * power >= least) ?? 10)
}

function short(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 })
}

/** Writes a time in seconds, or in minutes where the whole takes some. */
function time(at: number, whole: number): string {
  return whole < MINUTES ? `${short(at)} s` : `${short(at / 60)} min`
}
