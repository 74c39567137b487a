import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keptSteps, LONGEST_STEP } from '../../../src/model/protocols/kept-steps.ts'

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'f', arguments: '{}' } })

it("keptSteps bounds its memory, and one server does not take the others' room", () => {
  const small = keptSteps<string>()
  small.keep([call('a'), call('b')], 'small')
  const large = keptSteps<string>()
  const said = 'x'.repeat(LONGEST_STEP - 2)
  for (let at = 0; at < 1000; at++) large.keep([call(`call-${at}`)], said)
  const kept = Array.from({ length: 1000 }, (_, at) => large.of(`call-${at}`)).filter((step) => step !== null)
  assert.ok(kept.length > 100 && kept.length <= 128, String(kept.length))
  assert.equal(large.of('call-0'), null)
  assert.equal(large.of('call-999')?.said, said)
  assert.deepEqual([small.of('a')?.said, small.of('b')?.said], ['small', 'small'])
})
