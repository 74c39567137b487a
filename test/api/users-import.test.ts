import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertError, type TestAgent } from '../support/app.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { uploadTo } from '../support/upload.ts'

interface Row {
  line: number
  id: string
  outcome: string
  faults: { column: string | null; code: string; values: Record<string, string>; message: string }[]
}

interface Report {
  is_dry_run: boolean
  counts: Record<string, number>
  rows: Row[]
}

onBothEngines('POST /users/import', (service) => {
  const send = (agent: TestAgent, content: string | Uint8Array<ArrayBuffer>, isDryRun = false) =>
    uploadTo(agent, `/users/import${isDryRun ? '?dry_run=true' : ''}`, { 'people.csv': content })
  const report = async (agent: TestAgent, content: string | Uint8Array<ArrayBuffer>, isDryRun = false) => {
    const { status, body } = await send(agent, content, isDryRun)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data as unknown as Report
  }
  /** The outcome of each row by its id. */
  const outcomesOf = ({ rows }: Report) => rows.map(({ id, outcome }) => `${id} ${outcome}`)
  const faultsOf = ({ rows }: Report) =>
    rows.flatMap(({ line, faults }) => faults.map(({ column, code }) => [line, column, code]))
  const profileOf = async (agent: TestAgent, id: string) =>
    (await agent.get(`/users/${encodeURIComponent(id)}`)).body.data
  const peopleOf = async (agent: TestAgent): Promise<string[]> =>
    (await agent.get('/users')).body.data.map(({ id, source }: Record<string, string>) => `${source}:${id}`)
  const actsOf = async (agent: TestAgent) =>
    (await agent.get('/audit?action=users.imported')).body.data.map(
      ({ details }: { details: unknown }) => details,
    )

  it('200: people are made and changed, the same file again changes nothing, and a dry run nothing at all', async () => {
    const agent = await service.addAgent()
    await agent.prompt('hi', { user: 'ada' })
    await agent.patch('/users/ada', { name: 'Ada', attributes: { tier: 3, city: 'London' } })
    const file =
      '\ufeffID;Name;tier;Stadt\r\nada;Ada Lovelace;3;\r\n\r\ngrace; Grace Hopper ;007;"New\r\nYork"\r\n'
    const dry = await report(agent, file, true)
    assert.deepEqual([dry.is_dry_run, await peopleOf(agent), await actsOf(agent)], [true, ['api:ada'], []])
    assert.equal((await profileOf(agent, 'ada')).name, 'Ada')
    const done = await report(agent, file)
    assert.deepEqual({ ...done, is_dry_run: true }, dry)
    assert.deepEqual(
      done.rows.map(({ line, id, outcome }) => [line, id, outcome]),
      [
        [2, 'ada', 'changed'],
        [4, 'grace', 'created'],
      ],
    )
    assert.deepEqual(done.counts, { created: 1, changed: 1, unchanged: 0, erased: 0, refused: 0 })
    const ada = await profileOf(agent, 'ada')
    assert.deepEqual([ada.name, ada.attributes], ['Ada Lovelace', { tier: 3, city: 'London' }])
    const grace = await profileOf(agent, 'grace')
    assert.deepEqual(
      [grace.name, grace.attributes, grace.source, grace.proof],
      ['Grace Hopper', { tier: '007', Stadt: 'New\nYork' }, 'api', 'signed'],
    )
    const found = (await agent.get('/users?q=hopper')).body.data
    assert.deepEqual(
      found.map(({ id }: { id: string }) => id),
      ['grace'],
    )
    assert.deepEqual(outcomesOf(await report(agent, file)), ['ada unchanged', 'grace unchanged'])
    assert.deepEqual(await actsOf(agent), [{ created: 1, changed: 1 }])
    await agent.prompt('hi', { user: 'grace' })
    assert.deepEqual((await peopleOf(agent)).toSorted(), ['api:ada', 'api:grace'])
  })

  it('200: no two of one person, whatever names them', async () => {
    const agent = await service.addAgent()
    for (const user of ['ada', 'countess']) await agent.prompt('hi', { user })
    await agent.post('/users/countess/merge', { into: 'ada' })
    const file =
      'id,plan\ncountess,pro\nada,free\nbo,x\nwidget:bo,y\napi:cy,z\nwidget:cy,z\ncy,z\nwidget:visitor_1,z\nchannel-7:1,z\n'
    for (const isDryRun of [true, false]) {
      const first = await report(agent, file, isDryRun)
      assert.deepEqual(outcomesOf(first), [
        'countess changed',
        'ada refused',
        'bo created',
        'widget:bo refused',
        'api:cy created',
        'widget:cy created',
        'cy refused',
        'widget:visitor_1 refused',
        'channel-7:1 refused',
      ])
      assert.deepEqual(faultsOf(first), [
        [3, 'id', 'repeated'],
        [5, 'id', 'repeated'],
        [8, 'id', 'id_ambiguous'],
        [9, 'id', 'id_unknown'],
        [10, 'id', 'id_unknown'],
      ])
      assert.equal(first.rows[1]?.faults[0]?.message, 'is the person of line 2 again')
      assert.deepEqual(first.rows[6]?.faults[0]?.values, { ids: '"api:cy" or "widget:cy"' })
    }
    const people = ['api:ada', 'api:cy', 'widget:bo', 'widget:cy']
    assert.deepEqual((await peopleOf(agent)).toSorted(), people)
    assert.deepEqual((await report(agent, file)).counts, {
      created: 0,
      changed: 0,
      unchanged: 4,
      erased: 0,
      refused: 5,
    })
    assert.deepEqual((await profileOf(agent, 'ada')).attributes, { plan: 'pro' })
    const other = await service.addAgent()
    assert.deepEqual(await peopleOf(other), [])
  })

  it('200: who is blocked stays blocked, and who was scrubbed or anonymized gets nothing back', async () => {
    const agent = await service.addAgent()
    for (const user of ['bad', 'gone', 'left', 'twin']) await agent.prompt('hi', { user })
    await agent.put('/users/bad/blocked', { blocked: true })
    await agent.post('/users/twin/merge', { into: 'gone' })
    assert.equal((await agent.post('/users/gone/scrub', {})).status, 200)
    assert.equal((await agent.post('/users/left/anonymize', {})).status, 200)
    const file = 'id,name\nbad,Mallory\ntwin,Gone\nleft,Left\n'
    for (const isDryRun of [true, false])
      assert.deepEqual(outcomesOf(await report(agent, file, isDryRun)), [
        'bad changed',
        'twin erased',
        'left erased',
      ])
    const bad = await profileOf(agent, 'bad')
    assert.deepEqual([bad.name, bad.blocked_at !== null], ['Mallory', true])
    for (const id of ['gone', 'left']) assert.equal((await profileOf(agent, id)).name, null, id)
  })

  it('200: each fault names its line and column, and the other rows are stored', async () => {
    const agent = await service.addAgent()
    const long = 'x'.repeat(1000)
    const columns = Array.from({ length: 17 }, (_, at) => `c${at}`)
    const file = [
      `id,name,${columns}`,
      'ok,Ada',
      ',Nobody',
      `..,${'n'.repeat(201)}`,
      `many,x,${columns},surplus`,
      `long,"a\nb",${long}x`,
      `large,,${columns.map(() => long)}`,
      'fine,Bo',
    ].join('\n')
    const { rows, ...rest } = await report(agent, file)
    assert.deepEqual(rest.counts, { created: 2, changed: 0, unchanged: 0, erased: 0, refused: 5 })
    assert.deepEqual(faultsOf({ rows, ...rest }), [
      [3, 'id', 'missing'],
      [4, 'name', 'too_long'],
      [4, 'id', 'id_form'],
      [5, null, 'too_many_values'],
      [6, 'c0', 'too_long'],
      [8, null, 'too_much'],
    ])
    assert.equal(rows[2]?.faults[0]?.message, 'must have at most 200 characters')
    assert.equal(rows.at(-1)?.line, 9)
    assert.deepEqual((await peopleOf(agent)).toSorted(), ['api:fine', 'api:ok'])
  })

  it('400, 413, 415: a file that is not one of people is refused whole', async () => {
    const agent = await service.addAgent()
    for (const [file, why] of [
      ['', 'is empty'],
      ['id,name\n', 'no row below'],
      ['name\nAda\n', 'line 1: no column has the name "id"'],
      ['id,x,x\na,1,2\n', 'line 1: columns 2 and 3 have the same name'],
      ['id,name,Name\na,1,2\n', 'line 1: columns'],
      ['id,,y\na,1,2\n', 'line 1: column 2 has no name'],
      ['id,__proto__\na,1\n', 'line 1: column 2'],
      [`id,${'n'.repeat(65)}\na,1\n`, 'line 1: the name of column 2'],
      [`id,${Array.from({ length: 65 }, (_, at) => `c${at}`)}\na\n`, 'line 1: there are more than 64'],
      ['id,name\na,b\nc,"open\n', 'line 3: a quotation mark is not closed'],
      ['id,name\na,b\0\n', 'line 2: must not contain a NUL'],
      [new Uint8Array([105, 100, 10, 0xe9, 10]), 'UTF-8'],
      [`id\n${Array.from({ length: 5001 }, (_, at) => at).join('\n')}\n`, '5,000 rows'],
    ] as const) {
      const { status, body } = await send(agent, file)
      assert.deepEqual([status, body.error?.code, body.error?.param], [400, 'invalid_request', 'file'], why)
      assert.ok(body.error.message.includes(why), `${why}: ${body.error.message}`)
    }
    const large = await send(agent, 'id\n'.padEnd(5 * 1024 * 1024 + 1, 'x'))
    assert.deepEqual([large.status, large.body.error.code], [413, 'body_too_large'])
    assertError(await agent.post('/users/import', {}), 415, 'unsupported_media_type')
    assertError(await agent.post('/users/import?dry_run=yes', {}), 400, 'invalid_request')
    const files = await uploadTo(agent, '/users/import', { 'a.csv': 'id\na\n', 'b.csv': 'id\nb\n' })
    assert.equal(files.status, 400)
    assert.deepEqual(await peopleOf(agent), [])
  })
})
