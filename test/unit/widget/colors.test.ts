import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Color, colorsOf, contrast } from '../../../widget/launcher/colors.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
/** The grounds of frame.css, and how much of the accent tints the second of each. */
const LIGHT: Color[] = [
  [255, 255, 255],
  [244, 243, 241],
]
const DARK: Color[] = [
  [17, 19, 24],
  [31, 35, 43],
]

describe("the widget's colours", () => {
  it('black on white is as far apart as it gets', () => {
    assert.equal(Math.round(contrast([0, 0, 0], [255, 255, 255])), 21)
  })

  it('words on any colour, and in any colour, can be read', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const colors = colorsOf(color)
        const of = (name: string) => read(colors[name])
        assert.ok(contrast(of('--accent'), of('--on-accent')) >= 4.5)
        for (const ground of [...LIGHT, tint(LIGHT[1], of('--accent'), 0.09)])
          assert.ok(contrast(of('--accent-on-light'), ground) >= 4.5)
        for (const ground of [...DARK, tint(DARK[1], of('--accent'), 0.18)])
          assert.ok(contrast(of('--accent-on-dark'), ground) >= 4.5)
      }),
      { numRuns: 2000 },
    )
  })

  it('what is no colour gives the usual one', () => {
    for (const color of [null, undefined, '', 'red', '#12', 'url(x)'])
      assert.deepEqual(colorsOf(color), colorsOf('#4f46e5'))
    assert.deepEqual(colorsOf('#abc'), colorsOf('#aabbcc'))
  })
})

function read(text = ''): Color {
  const [red = 0, green = 0, blue = 0] = (text.match(/\d+/g) ?? []).map(Number)
  return [red, green, blue]
}

function tint(ground: Color = [0, 0, 0], accent: Color, share: number): Color {
  const part = (index: 0 | 1 | 2) => ground[index] + (accent[index] - ground[index]) * share
  return [part(0), part(1), part(2)]
}
