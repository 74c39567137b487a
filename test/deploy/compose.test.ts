import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { exampleIn } from '../support/guide.ts'

// Version 1 writes no JSON.
const compose = [['docker', 'compose'], ['docker-compose']].find(([program = '', ...words]) =>
  /^v?(?!1\.)\d/.test(
    spawnSync(program, [...words, 'version', '--short'], { encoding: 'utf8' }).stdout ?? '',
  ),
)

describe('the compose files', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-compose-'))
    for (const file of ['compose.yaml', 'compose.cluster.yaml']) await cp(file, join(folder, file))
    execFileSync('bash', ['-euc', exampleIn('docs/operations.md', 'sh', 'mkdir -m 700')], { cwd: folder })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const secret = (name: string) => readFile(join(folder, 'secrets', name), 'utf8')

  it('the guide makes the secrets of the cluster, for nobody else on the machine', async () => {
    const password = await secret('postgres_password')
    assert.match(password, /^[0-9a-f]{48}$/)
    assert.equal(new URL((await secret('database_url')).trim()).password, password)
    assert.equal(Buffer.from((await secret('master_key')).trim(), 'base64').length, 32)
    assert.equal((await stat(join(folder, 'secrets'))).mode & 0o777, 0o700)
    assert.equal((await stat(join(folder, 'secrets', 'master_key'))).mode & 0o004, 0o004)
  })

  describe('read by Compose', {
    skip: compose === undefined && 'there is no Docker Compose here: install it to run this',
  }, () => {
    const config = (file: string) => {
      const [program = '', ...words] = compose ?? []
      const all = [...words, '--file', join(folder, file), 'config', '--format', 'json']
      return JSON.parse(execFileSync(program, all, { encoding: 'utf8', env: { ...process.env, DOMAIN: '' } }))
    }

    it('one Parley keeps its data in a volume and writes nowhere else', () => {
      const { services, volumes } = config('compose.yaml')
      const { parley } = services
      assert.equal(parley.read_only, true)
      assert.deepEqual(parley.cap_drop, ['ALL'])
      assert.equal(parley.volumes[0].target, '/data')
      assert.equal(parley.ports[0].host_ip, '127.0.0.1')
      assert.deepEqual(Object.keys(volumes), ['data'])
    })

    it('three replicas take their secrets from files, and only Caddy is published', () => {
      const { services } = config('compose.cluster.yaml')
      const replicas = Object.keys(services).filter((name) => name.startsWith('parley-'))
      assert.equal(replicas.length, 3)
      for (const name of replicas) {
        const { environment, secrets } = services[name]
        assert.equal(environment.PARLEY_MASTER_KEY_FILE, '/run/secrets/master_key')
        assert.equal(environment.PARLEY_PUBLIC_URL, 'https://localhost')
        assert.equal(secrets.length, 2)
        assert.ok(services.caddy.environment.UPSTREAMS.includes(`${name}:8080`))
      }
      const published = Object.keys(services).filter((name) => services[name].ports)
      assert.deepEqual(published, ['caddy'])
    })
  })
})
