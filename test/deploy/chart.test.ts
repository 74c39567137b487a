import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { OWN_VERSION } from '../../src/lib/own-version.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { settings, settingTexts } from '../../src/settings/table.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { exampleIn } from '../support/guide.ts'

const CHART = 'deploy/kubernetes'

const helm = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('helm', words, { encoding: 'utf8' })
  return { status, stdout, stderr }
}

describe('the chart', {
  skip: helm('version').status !== 0 && 'there is no Helm here: install it to run this',
}, () => {
  let folder: string
  let values: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-chart-'))
    values = join(folder, 'values.yaml')
    await writeFile(values, exampleIn('docs/operations.md', 'yaml', 'publicUrl'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const render = (...set: string[]) =>
    helm('template', 'parley', CHART, '--values', values, ...set.flatMap((words) => ['--set', words]))

  it('has no fault that Helm finds, with the values of the guide', () => {
    const { status, stdout } = helm('lint', '--strict', CHART, '--values', values)
    assert.equal(status, 0, stdout)
  })

  it('renders every object, and the settings of the guide', () => {
    const { stdout } = render('autoscaling.enabled=true')
    assert.deepEqual([...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort(), [
      ...['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy'],
      ...['PodDisruptionBudget', 'Service'],
    ])
    // Pods of the service and of the migration.
    const count = (words: string) => stdout.split(words).length - 1
    for (const words of [
      `image: registry.example.com/parley:${OWN_VERSION}`,
      'readOnlyRootFilesystem: true',
      'runAsNonRoot: true',
      'automountServiceAccountToken: false',
      'value: /run/secrets/parley/database-url',
      'value: /run/secrets/parley/model-api-key',
    ])
      assert.equal(count(words), 2, words)
    const known = new Set(settingTexts().flatMap(({ names }) => names))
    const names = [...stdout.matchAll(/- name: (PARLEY_\w+)/g)].map(([, name = '']) =>
      name.replace(/_FILE$/, ''),
    )
    assert.deepEqual(
      names.filter((name) => !known.has(name)),
      [],
    )
  })

  it('leaves out what is switched off', () => {
    const { stdout } = render('ingress.enabled=false', 'networkPolicy.enabled=false', 'replicas=1')
    assert.deepEqual([...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).sort(), [
      ...['Deployment', 'Job', 'Service'],
    ])
  })

  it('refuses values that it does not know, and secrets among the settings', () => {
    for (const [set, said] of [
      ['publicUrl=chat.example.com', /publicUrl/],
      ['replica=4', /replica/],
      ['settings.PARLEY_MASTER_KEY=key', /PARLEY_MASTER_KEY/],
      ['settings.MODEL=gpt', /MODEL/],
    ] as const) {
      const { status, stderr } = render(set)
      assert.notEqual(status, 0, set)
      assert.match(stderr, said)
    }
  })
})

it('the chart refuses every secret among the settings, and nothing else', () => {
  const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  const refused = new RegExp(schema.properties.settings.propertyNames.not.pattern)
  const isRefused = ([name]: [string, unknown]) => refused.test(name)
  const all = Object.entries<Setting<unknown>>(settings)
  assert.deepEqual(
    all.filter(isRefused),
    all.filter(([, { isSecret }]) => isSecret),
  )
})

describe('the ingress of the chart', () => {
  let test: TestApp
  before(async () => {
    test = await startApp('sqlite')
  })
  after(() => test.close())

  it('leads to every route but those that stay inside', () => {
    const template = readFileSync(join(CHART, 'templates/ingress.yaml'), 'utf8')
    const [prefixes = [], exact = []] = [...template.matchAll(/range list (.*) \}\}/g)].map(([, list = '']) =>
      [...list.matchAll(/"(.*?)"/g)].map(([, path = '']) => path),
    )
    const tree = test.app.server.printRoutes({ commonPrefix: false })
    // Every route lies below `/`, the only root.
    const routes = ['/', ...[...tree.matchAll(/^ {4}[├└]── (?!\*)(\S+)/gm)].map(([, path]) => `/${path}`)]
    assert.ok(routes.length > 20, tree)
    const isLed = (path: string) =>
      exact.includes(path) || prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    assert.deepEqual([...new Set(routes.filter((path) => !isLed(path)))].sort(), ['/metrics', '/readyz'])
  })
})
