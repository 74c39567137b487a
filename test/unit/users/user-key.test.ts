import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  channelSource,
  readSourcedId,
  readUserKey,
  type SourcedId,
  type UserSource,
  unsourcedKey,
  userKey,
  userOfConversation,
  writeSourcedId,
} from '../../../src/users/user-key.ts'

const sources: UserSource[] = ['api', 'widget', channelSource(1), channelSource(12), channelSource(999_999)]
const pieces = [
  '',
  '4',
  '42',
  ':',
  'api',
  'api:',
  'widget:',
  'channel-1:',
  'channel-12:',
  'channel-',
  '\n',
  'é',
  '/',
]
// Ids of one to three pieces: all ways in which an id can look like a key.
const ids = pieces.flatMap((a) => pieces.flatMap((b) => pieces.map((c) => a + b + c)))

it('keys of end users are read as what they were written from, and no two people share one', () => {
  const people = new Map<string, string>()
  for (const id of new Set(ids))
    for (const source of sources) {
      const person: SourcedId = { source, id }
      const key = userKey(person)
      assert.deepEqual(readUserKey(key), person, key)
      assert.equal(
        people.get(key),
        undefined,
        `${JSON.stringify(person)} and ${people.get(key)} share ${key}`,
      )
      people.set(key, JSON.stringify(person))
      assert.deepEqual(readSourcedId(writeSourcedId(person)), person)
    }
})

it('ids of the API stand as they are, unless they look like another source', () => {
  for (const id of ['ada', '42', 'team/ada', 'urn:user:1', 'channel-x:1', 'channel-01:1', 'Widget:1'])
    assert.equal(userKey({ source: 'api', id }), id)
  for (const id of ['api:42', 'widget:ada', 'channel-7:42'])
    assert.equal(userKey({ source: 'api', id }), `api:${id}`)
})

it('a key of an older version leads to one user of a source only, however alike ids and keys look', () => {
  const places = [
    { source: 'widget', channel_id: null, widget_id: 1 },
    { source: channelSource(12), channel_id: 12, widget_id: null },
  ] as const
  for (const id of new Set(ids))
    for (const { source, ...place } of places) {
      const key = userKey({ source, id })
      const old = unsourcedKey(key)
      const isTaken = id.startsWith(`${source}:`)
      assert.equal(old, isTaken ? null : id)
      if (old !== null) assert.equal(userOfConversation({ user_id: old, ...place }), key)
    }
  assert.equal(unsourcedKey(userKey({ source: 'api', id: 'ada' })), null)
  assert.equal(unsourcedKey(userKey({ source: 'api', id: 'widget:ada' })), null)
})
