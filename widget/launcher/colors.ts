export type Color = readonly [red: number, green: number, blue: number]

const DEFAULT = '#4f46e5'
const WHITE: Color = [255, 255, 255]
const BLACK: Color = [0, 0, 0]
/** The backgrounds in frame.css of accented words, and the share of accent that tints them for a person's words. */
const GROUNDS = { light: [244, 243, 241], dark: [31, 35, 43] } satisfies Record<string, Color>
const TINTS = { light: 0.09, dark: 0.18 }
/** The contrast that WCAG asks of text, and a little more because colours are rounded. */
const READABLE = 4.6

/** Derives the colours of a chat from one colour, so that text in and on it can be read. */
export function colorsOf(accent: string | null | undefined): Record<string, string> {
  const color = readHex(accent) ?? readHex(DEFAULT) ?? BLACK
  // A colour on which white cannot be read has a contrast of at least 4.6 to black.
  const on = contrast(color, WHITE) >= 4.5 ? WHITE : BLACK
  return {
    '--accent': written(color),
    '--on-accent': written(on),
    '--accent-on-light': written(readableOn(color, 'light', BLACK)),
    '--accent-on-dark': written(readableOn(color, 'dark', WHITE)),
  }
}

/** Mixes in as little of another colour as makes this one readable on the backgrounds of a scheme. */
function readableOn(color: Color, scheme: 'light' | 'dark', towards: Color): Color {
  const ground = GROUNDS[scheme]
  const tint = mix(ground, color, TINTS[scheme])
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, towards, share)
    if (Math.min(contrast(mixed, ground), contrast(mixed, tint)) >= READABLE) return mixed
  }
  return towards
}

function mix(a: Color, b: Color, share: number): Color {
  const part = (from: number, to: number) => Math.round(from + (to - from) * share)
  return [part(a[0], b[0]), part(a[1], b[1]), part(a[2], b[2])]
}

/** Returns the contrast of two colours as WCAG defines it, 1 to 21. */
export function contrast(a: Color, b: Color): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Color): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function readHex(text: string | null | undefined): Color | null {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(text ?? '') ?? []
  const digits = long ?? short?.replace(/./g, '$&$&')
  if (!digits) return null
  const value = Number.parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function written([red, green, blue]: Color): string {
  return `rgb(${red} ${green} ${blue})`
}
