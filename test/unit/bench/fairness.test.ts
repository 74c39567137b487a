import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peopleOf } from '../../../bench/redaction/fairness.ts'
import { isHeldBack, PARTS } from '../../../bench/redaction/held-back.ts'
import { readTemplates } from '../../../bench/redaction/templates.ts'

test('fairness: each origin and script has as many people, whose names are of their part alone', () => {
  for (const part of PARTS) {
    const people = peopleOf(part)
    assert.ok(people.size > 45)
    for (const [key, those] of people) {
      assert.equal(those.length, 24, key)
      for (const { given, family } of those)
        for (const name of [given, family]) assert.equal(isHeldBack(name), part === 'held-back', name)
      const pairs = new Set(those.map(({ given, family }) => `${given} ${family}`))
      assert.equal(pairs.size, 24, `${key}, ${part}`)
    }
  }
})

test('fairness: a third of the templates is held back, and no template is in the other set', () => {
  const templates = readTemplates('fair-more').map(({ template }) => template)
  const heldBack = templates.filter(isHeldBack).length / templates.length
  assert.ok(heldBack > 0.22 && heldBack < 0.45, `${heldBack}`)
  const others = new Set(readTemplates('fair').map(({ template }) => template))
  assert.deepEqual(
    templates.filter((template) => others.has(template)),
    [],
  )
})
