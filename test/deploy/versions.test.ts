import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

const read = (file: string) => readFileSync(file, 'utf8')
const { version, devDependencies } = JSON.parse(read('package.json'))

it('the image runs on the Node of the project', () => {
  const bases = [...read('Dockerfile').matchAll(/^FROM .*\/node:([\d.]+)-/gm)].map(([, node]) => node)
  assert.deepEqual(bases, [devDependencies.node, devDependencies.node])
})

it('image, chart and guide name the version of the package', () => {
  assert.ok(read('Dockerfile').includes(`org.opencontainers.image.version="${version}"`))
  for (const field of ['version', 'appVersion'])
    assert.match(
      read('deploy/kubernetes/Chart.yaml'),
      new RegExp(`^${field}: ${RegExp.escape(version)}$`, 'm'),
    )
  const named = [...read('docs/operations.md').matchAll(/parley[:-](\d+\.\d+\.\d+)/g)].map(
    ([, named]) => named,
  )
  assert.deepEqual([...new Set(named)], [version])
})
