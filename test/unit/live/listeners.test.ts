import assert from 'node:assert/strict'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { Listener, type Subscription } from '../../../src/live/listener.ts'
import { Listeners } from '../../../src/live/listeners.ts'

const nobody = { all: 0, visitors: 0 }

function listenerOf(subscription: Subscription): Listener {
  return new Listener(new ServerResponse(new IncomingMessage(new Socket())), subscription, null)
}

/** A visitor with an address of their own, unless one is given. */
function visitor(n: number, widgetId = 1, address = `203.0.${n >> 8}.${n & 255}`): Subscription {
  return {
    ...{ agentId: 1, conversationId: `c${n}`, view: 'visitor', operatorId: null, address },
    admission: { kind: 'visitor', widgetId, userId: `v${n}`, secretVersion: null, expiresAt: 0 },
  }
}

const person: Subscription = {
  ...{ agentId: 1, conversationId: null, view: 'team', operatorId: 1 },
  admission: { kind: 'session', sessionId: 1 },
}

describe('places for live streams', () => {
  it('however many visitors come, places are left to the team, and to a second widget', () => {
    const listeners = new Listeners()
    const come = (widgetId: number) => {
      let came = 0
      while (listeners.haveRoomFor(visitor(came, widgetId), nobody))
        listeners.add(listenerOf(visitor(came++, widgetId)))
      return came
    }
    assert.equal(come(1), 600)
    assert.equal(come(2), 200)
    for (let n = 0; n < 20; n++) {
      assert.ok(listeners.haveRoomFor(person, nobody), `person ${n}`)
      listeners.add(listenerOf(person))
    }
    assert.ok(!listeners.haveRoomFor(person, nobody), 'more of a session than it may have')
  })

  it('those of an address and of a visitor are limited each by itself', () => {
    const listeners = new Listeners()
    for (let n = 0; n < 60; n++) listeners.add(listenerOf(visitor(n, 1, '203.0.113.7')))
    assert.ok(!listeners.haveRoomFor(visitor(60, 1, '203.0.113.7'), nobody))
    assert.ok(listeners.haveRoomFor(visitor(60, 1, '203.0.113.8'), nobody))
    for (let n = 0; n < 3; n++) listeners.add(listenerOf(visitor(99, 1, `203.0.114.${n}`)))
    assert.ok(!listeners.haveRoomFor(visitor(99), nobody))
  })

  it('visitors of other processes count too', () => {
    const listeners = new Listeners()
    assert.ok(!listeners.haveRoomFor(visitor(1), { all: 800, visitors: 800 }))
    assert.ok(listeners.haveRoomFor(visitor(1), { all: 900, visitors: 799 }))
    assert.ok(listeners.haveRoomFor(person, { all: 999, visitors: 800 }))
    assert.ok(!listeners.haveRoomFor(person, { all: 1000, visitors: 0 }))
    assert.equal(listeners.countsOf(1).all, 0)
  })
})
