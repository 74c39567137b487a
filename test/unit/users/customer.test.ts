import assert from 'node:assert/strict'
import { it } from 'node:test'
import { customerOf } from '../../../src/users/customer.ts'
import { userKey } from '../../../src/users/user-key.ts'

const known = (source: 'api' | 'widget' | 'channel-7', id: string) => ({
  id: userKey({ source, id }),
  name: 'Ada',
  attributes: '{"plan":"gold","orders":3}',
})
const all = {
  name: 'Ada',
  attributes: new Map([
    ['plan', 'gold'],
    ['orders', '3'],
  ]),
}

for (const [who, user, provenId, isGroup, told] of [
  ['a proven user', known('api', 'u'), 'u', false, all],
  ['somebody on a messenger', known('channel-7', 'u'), 'u', false, all],
  ['somebody in a group', known('channel-7', 'u'), 'u', true, null],
  ['somebody at a helpdesk whom nobody vouches for', known('channel-7', 'u'), null, false, null],
  ['a signed user of a widget for whom the API prompts', known('widget', 'u'), null, false, null],
  ['a visitor', known('widget', 'visitor_u'), null, false, { name: 'Ada', attributes: new Map() }],
  ['nobody', null, null, false, null],
] as const)
  it(`tells of ${who} what they may know`, () => {
    assert.deepEqual(customerOf(user, { provenId, isGroup }), told)
  })
