import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { assertClean, takeLooks } from '../support/looks.ts'
import { startMcpPeer } from '../support/mcp-server.ts'
import { startPeer } from '../support/peer.ts'
import { startConsole } from '../support/start-console.ts'

describe('tools in the console', async () => {
  const peer = await startPeer((response, { path, headers }) =>
    response.end(JSON.stringify({ path, from: headers['x-shop'] })),
  )
  after(() => peer.close())
  const { app, own, page, button, field } = await startConsole()

  const toolsOf = async () => (await app.agent.get('/tools')).body.data

  it('makes a tool, tries it, changes its headers, and deletes it', async () => {
    await page.goto(own.at('tools'))
    await page.getByText('The agent has no tools yet').waitFor()
    await page.getByRole('link', { name: 'Add a tool' }).first().click()
    await field('Name').fill('find order')
    await field('Description').fill('Finds an order by its number.')
    await field('Arguments (JSON Schema)').fill(
      '{"properties": {"number": {"type": "string"}}, "required": ["number"]',
    )
    await field('Address').fill(`${peer.url}/orders/{number}`)
    await button('Add a header').click()
    await field('Name of the header').fill('X-Shop')
    await field('Value').fill('a secret of the shop')
    await button('Save').click()
    await page.getByText('This is not a JSON object.').waitFor()
    await field('Arguments (JSON Schema)').fill(
      '{"properties": {"number": {"type": "string"}}, "required": ["number"]}',
    )
    await button('Save').click()
    await page.locator('[data-path="name"][aria-invalid="true"]').waitFor()
    await field('Name').fill('find_order')
    await button('Save').click()
    await page.waitForURL(/tools\/\d+$/)
    await page.getByText('A secret is stored (…shop)').waitFor()

    await field('Arguments').fill('{"number": "a/7"}')
    await button('Call it').click()
    await page.getByText('worked').waitFor()
    await page.getByText('{"path":"/orders/a%2F7","from":"[secret]"}').waitFor()
    await field('Arguments').fill('{}')
    await button('Call it').click()
    await page.getByText('Error: number is missing. The tool was not called.').waitFor()
    await assertClean(own)

    await field('Method').selectOption('POST')
    await field('Body (JSON)').fill('{"number": "{number}"}')
    await field('x-shop').fill('another secret value')
    await button('Save').click()
    await page.getByText('A secret is stored (…alue)').waitFor()
    const [changed] = await toolsOf()
    assert.deepEqual(
      [changed.method, changed.idempotent, changed.headers['x-shop'].last_four],
      ['POST', false, 'alue'],
    )

    await page.getByRole('link', { name: 'Tools' }).last().click()
    const row = page.getByRole('list', { name: 'Tools' }).getByRole('listitem')
    await row.getByText(`POST ${peer.url}/orders/{number}`).waitFor()
    await row.getByRole('link', { name: 'find_order' }).click()
    await button('Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The agent has no tools yet').waitFor()
    await becomes(toolsOf, [])
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('sets up an MCP server: asks what it offers, allows some of it, tries it', async () => {
    const numbered = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }
    const find = {
      name: 'find-order',
      description: 'Finds an order by its number. Tells its state and when it arrives.',
      inputSchema: numbered,
      annotations: { readOnlyHint: true },
    }
    const stores = {
      name: 'list-stores',
      inputSchema: { type: 'object', properties: { near: { $ref: 'https://example.com/store' } } },
    }
    const cancel = { name: 'cancel-order', description: 'Cancels an order.', inputSchema: numbered }
    await using server = await startMcpPeer([find, stores, cancel], ({ answer, params }) =>
      answer({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }),
    )
    await page.goto(own.at('tools/new'))
    await page.getByText('MCP server', { exact: true }).click()
    await takeLooks(page, 'tools-mcp-new')
    await field('Name').fill('shop')
    await field('Address').fill(server.url)
    await button('Add a header').click()
    await field('Name of the header').fill('authorization')
    await field('Value').fill('Bearer of the shop')
    await button('Save').click()
    await page.waitForURL(/tools\/\d+$/)
    await page.getByText('The server offers 3 tools.').waitFor()
    await page.getByText('shop_find-order', { exact: true }).waitFor()
    await page.getByText('which is not in it').waitFor()
    await takeLooks(page, 'tools-mcp-all')
    await assertClean(own)

    const offered = (name: string) => page.getByRole('switch', { name })
    await offered('All tools').uncheck()
    await offered('cancel-order').uncheck()
    await page.locator('input[disabled]').and(offered('list-stores')).waitFor()
    await button('Save').click()
    await becomes(async () => (await toolsOf())[0].allow, ['find-order'])

    await field('Arguments').fill('{"number": "7"}')
    await button('Call it').click()
    await page.getByText('{"number":"7"}').waitFor()
    assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer of the shop')
    await field('Tool').selectOption('cancel-order')
    await field('Arguments').fill('{}')
    await button('Call it').click()
    await page.getByText('Error: number is missing. The tool was not called.').waitFor()
    await takeLooks(page, 'tools-mcp-some')

    await server.close()
    await button('Ask again').click()
    await page.getByText('not answered').waitFor()
    await offered('find-order').waitFor()
    await takeLooks(page, 'tools-mcp-broken')
    await assertClean(own)
    await page.goto(own.at('tools'))
    await page.getByText(`MCP ${server.url}`).waitFor()
    for (const { id } of await toolsOf()) await app.agent.call('DELETE', `/tools/${id}`)
  })

  it('lets the model ask for a person', async () => {
    await page.goto(own.at('settings/agent'))
    await page.getByRole('switch', { name: 'The model may ask for a person' }).check()
    await button('Save').click()
    await becomes(async () => (await app.agent.get('/agent')).body.data.handoff, true)
    assert.deepEqual(own.faults.splice(0), [])
  })
})
