import assert from 'node:assert/strict'
import { it } from 'node:test'
import { typed } from '../../src/commands/command.ts'

it('what is printed to be typed works where it is printed: in a clone, and where npm installed the package', () => {
  assert.equal(typed('demo'), 'npm run -s parley -- demo')
  assert.equal(typed('demo', 'file:///site/node_modules/parley/dist/commands/command.js'), 'npx parley demo')
})
