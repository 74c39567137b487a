import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { errorTable } from '../../src/errors.ts'
import { kindNames } from '../../src/evaluators/kinds.ts'
import { modelKinds } from '../../src/lib/model-kinds.ts'
import { kindsOf } from '../../src/platforms/platforms.ts'
import { ruleSchemas } from '../../src/rules/schemas.ts'

const guide = readFileSync('docs/rules.md', 'utf8')

it('the guide to rules has a row for each kind of evaluator', () => {
  assert.deepEqual(
    kindNames.filter((kind) => !guide.includes(`| \`${kind}\` |`)),
    [],
  )
})

it('the guide to rules names each action of automations', () => {
  const actions = ruleSchemas.automation.shape.actions.element.options.map(({ shape }) => shape.type.value)
  const [, named = ''] = /^Actions: (.*)/m.exec(guide) ?? []
  assert.deepEqual(
    actions.filter((action) => !named.includes(`\`${action}\``)),
    [],
  )
})

it('the guide to models has a row for each kind of server', () => {
  const models = readFileSync('docs/models.md', 'utf8')
  assert.deepEqual(
    modelKinds.filter((kind) => !new RegExp(`^\\| \`${kind}\`.* \\| .* \\| \`https://`, 'm').test(models)),
    [],
  )
})

it('the guide to the API lists each code of an error under its status', () => {
  const page = readFileSync('docs/api.md', 'utf8')
  const listed = [...page.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(([, status, codes = '']) =>
    [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status} ${code}`),
  )
  const known = Object.entries(errorTable).map(([code, [status]]) => `${status} ${code}`)
  assert.deepEqual(listed.sort(), known.sort())
})

it('the guide to channels has a page for each platform', () => {
  const pages = readdirSync('docs/channels')
  assert.deepEqual(
    kindsOf().filter((kind) => !pages.includes(`${kind}.md`)),
    [],
  )
})

it('the table of background work in the map of the code has a row for each policy', () => {
  const policies = globSync('src/**/*.ts').filter(
    (file) => !file.startsWith('src/work/') && /\brun(?:Queue|Work)</.test(readFileSync(file, 'utf8')),
  )
  assert.ok(policies.length > 20)
  const page = readFileSync('docs/architecture.md', 'utf8')
  assert.deepEqual(
    policies.filter((file) => !page.includes(`\n| \`${file.replace('src/', '')}\` |`)),
    [],
  )
})

it('the guides for developers name only files that are there', () => {
  const named = ['docs/development.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/`((?:src|console|test|bench)\/[\w./-]+\.\w+)`/g)].map(
      ([, file = '']) => file,
    ),
  )
  assert.ok(named.length > 50)
  assert.deepEqual(
    named.filter((file) => !file.includes('00NN') && !existsSync(file)),
    [],
  )
})
