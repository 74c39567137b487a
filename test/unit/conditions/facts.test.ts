import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evaluationFacts, factsOf, withFacts } from '../../../src/conditions/facts.ts'

// Hours and days are told in the agent's time zone wherever the server stands.
process.env.TZ = 'Asia/Tokyo'
const at = Date.UTC(2026, 10, 22, 23, 59)

describe('factsOf', () => {
  it('names everything that is known', () => {
    const facts = factsOf({
      prompt: 'Wo ist meine Bestellung? 😀',
      response: 'Sie kommt morgen.',
      answered: true,
      retrievalScore: 0.75,
      finishReason: 'stop',
      messageCount: 4,
      pageUrl: 'https://shop.example/orders/7?x=1#top',
      channelId: 3,
      platform: 'helpdesk',
      tags: { plan: 'pro', seats: 5, vip: true, list: ['a', {}, 2], nested: { a: 1 }, nothing: null },
      userIsNew: false,
      startedBy: 'user',
      at,
      timeZone: 'UTC',
      hours: { time_zone: 'UTC', week: [{ days: [7], from: '22:00', to: '23:00' }], holidays: [] },
    })
    assert.deepEqual(
      { ...facts },
      {
        'prompt.text': 'Wo ist meine Bestellung? 😀',
        'prompt.length': 26,
        'response.text': 'Sie kommt morgen.',
        answered: true,
        'retrieval.score': 0.75,
        finish_reason: 'stop',
        message_count: 4,
        language: 'de',
        'page.url': 'https://shop.example/orders/7?x=1#top',
        'page.path': '/orders/7',
        channel: 3,
        platform: 'helpdesk',
        'user.is_new': false,
        started_by: 'user',
        hour: 23,
        weekday: 7,
        within_hours: false,
        'tags.plan': 'pro',
        'tags.seats': 5,
        'tags.vip': true,
        'tags.list': ['a', 2],
      },
    )
  })

  it('leaves missing what is not known', () => {
    const there = Object.entries(factsOf({ prompt: '?', at, timeZone: 'UTC', hours: null })).filter(
      ([, fact]) => fact != null,
    )
    assert.deepEqual(Object.fromEntries(there), {
      'prompt.text': '?',
      'prompt.length': 1,
      hour: 23,
      weekday: 7,
      within_hours: true,
    })
  })

  for (const [timeZone, when, hour, weekday] of [
    ['UTC', '2026-11-22T23:59:00Z', 23, 7],
    ['Europe/Berlin', '2026-11-22T23:59:00Z', 0, 1],
    ['Europe/Berlin', '2026-07-01T12:00:00Z', 14, 3],
    ['America/Los_Angeles', '2026-11-23T05:30:00Z', 21, 7],
    ['Asia/Kathmandu', '2026-11-22T18:20:00Z', 0, 1],
  ] as const) {
    it(`hour and weekday of ${when} in ${timeZone}`, () => {
      const facts = factsOf({ prompt: '', at: Date.parse(when), timeZone, hours: null })
      assert.deepEqual([facts.hour, facts.weekday], [hour, weekday])
    })
  }

  for (const [pageUrl, path] of [
    ['/orders?x', '/orders'],
    ['not a page', null],
    ['', null],
  ] as const) {
    it(`page.path of ${JSON.stringify(pageUrl)}`, () => {
      assert.equal(factsOf({ prompt: '', pageUrl, at, timeZone: 'UTC', hours: null })['page.path'], path)
    })
  }
})

describe('withFacts', () => {
  it('adds facts, the added ones first, and asks no costly one', () => {
    let asked = 0
    const facts = {
      hour: 1,
      get language() {
        asked++
        return 'de'
      },
    }
    const more = withFacts(facts, { hour: 2, ...evaluationFacts(7, { score: null, passed: true }) })
    assert.equal(asked, 0)
    const names = ['hour', 'language', 'evaluator.7.score', 'evaluator.7.passed']
    assert.deepEqual(
      names.map((name) => more[name]),
      [2, 'de', null, true],
    )
    assert.equal(withFacts(facts, { language: 'fr' }).language, 'fr')
  })
})
