import assert from 'node:assert/strict'
import { it } from 'node:test'
import { typed } from '../../src/lib/typed-command.ts'

it('what is printed to be typed works where it is printed: in a clone, a project, a container, a machine', () => {
  assert.equal(typed('demo'), 'npm run -s parley -- demo')
  const compiled = 'file:///site/node_modules/parley/dist/commands/command.js'
  assert.equal(typed('demo', compiled, '/site/node_modules/.bin/parley'), 'npx parley demo')
  assert.equal(typed('demo', compiled, '/parley/bin/parley'), 'parley demo')
})
