import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readRobots } from '../../../src/knowledge/imports/robots.ts'
import { siteOf } from '../../../src/knowledge/imports/site.ts'

describe('addresses and rules for them', () => {
  const cases: [rule: string, path: string, matches: boolean][] = [
    ['/über-uns/', '/über-uns/team', true],
    ['/über-uns/', '/%c3%bcber-uns/team', true],
    ['/%C3%BCber-uns/', '/über-uns/team', true],
    ['/内部/', '/内部/1', true],
    ['/a%2fb', '/a%2Fb', true],
    ['/a%2fb', '/a/b', false],
    ['/%7Eann/', '/~ann/', true],
    ['/*.pdf', '/ä.pdf', true],
    ['/ober/', '/über/', false],
  ]
  for (const [rule, path, matches] of cases)
    it(`${rule} ${matches ? 'is' : 'is not'} kept for ${path}`, () => {
      const address = `https://shop.example${path}`
      const robots = readRobots(`User-agent: *\nDisallow: ${rule}`)
      assert.equal(robots.allows(address), !matches)
      const site = siteOf(address, [], [`${rule}*`])
      assert.equal(site.refusalOf(new URL(address).href) !== null, matches)
    })

  it('half a character in a rule is none', () => {
    assert.equal(readRobots(`User-agent: *\nDisallow: /\ud800`).allows('https://shop.example/a'), true)
  })
})
