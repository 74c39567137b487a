import assert from 'node:assert/strict'
import type { TestApp } from './app.ts'

const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Fills each page of the console with names that strain it: long, right to left, with markup. */
export async function fillConsole({ agent }: Pick<TestApp, 'agent'>, receiver: string): Promise<void> {
  const names = ['Delivery', LONG_WORD, 'שאלות ותשובות 🚚', '<img src=x onerror=alert(1)>']
  const add = async (path: string, body: object) => {
    const { status, text } = await agent.post(path, body)
    assert.equal(status, 201, text)
  }
  for (const name of names) {
    await add('/knowledge', {
      title: name,
      content: `About ${name}.`,
      url: `https://example.com/${names.indexOf(name)}`,
    })
    await add('/notifications', { name, url: receiver, events: ['prompt_submit', 'response_end'] })
    await add('/tools', {
      kind: 'http',
      name: `tool_${names.indexOf(name)}`,
      description: name,
      url: receiver,
      headers: { authorization: 'Bearer token' },
    })
    await add('/groups', { name, operators: [], agents: [] })
    await add('/targets', { name, first_response: 30, resolution: 480 })
    await add('/channels', { kind: 'messenger-one', name, settings: { access_token: 'x'.repeat(20) } })
  }
  await add('/datasets', { name: LONG_WORD })
  for (const name of names)
    await add('/datasets/1/cases', {
      messages: [{ role: 'user', content: `What about ${name}?` }],
      expectations: [{ kind: 'contains', value: name }],
      tool_results: [{ name: 'tool_0', arguments: { name }, result: name }],
    })
  await add('/runs', { dataset_id: 1 })
  for (const name of names) await agent.prompt(`What about ${name}?`, { user: name })
}

/** Fills the console with everyday data, as the pictures of the documentation show it. */
export async function fillEveryday(
  { agent }: Pick<TestApp, 'agent'>,
  receiver: string,
): Promise<{ conversation: string; webhook: number; channel: number }> {
  const add = async (path: string, body: object) => {
    const { status, text, body: answer } = await agent.post(path, body)
    assert.ok(status === 201 || status === 200, text)
    return answer.data
  }
  for (const [title, content] of [
    ['How long does delivery take?', 'Two to four working days. Orders before noon leave the same day.'],
    ['How do I send something back?', 'Within 30 days, with the label that came in the parcel.'],
    ['When are you open?', 'On weekdays from nine to five.'],
    ['Is there a warranty?', 'Two years on everything, five on batteries.'],
  ])
    await add('/knowledge', { title, content, source: title })
  const webhook = await add('/notifications', { name: 'Order desk', url: receiver, events: ['*'] })
  const channel = await add('/channels', {
    kind: 'messenger-one',
    name: 'Shop line',
    settings: { phone_number_id: '10987654321', access_token: 'a token of the platform' },
  })
  await agent.prompt('When are you open?', { user: 'Margaret Hamilton' })
  await agent.prompt('Is there a warranty on the battery?', { user: 'Katherine Johnson' })
  const { conversation_id } = await agent.prompt('How long does delivery take?', {
    user: 'Grace Hopper',
    page_url: 'https://shop.example.com/orders/7',
    tags: { plan: 'gold' },
  })
  const path = `/conversations/${conversation_id}`
  await agent.prompt('I want to talk to a person.', { conversation_id, user: 'Grace Hopper' })
  await add(`${path}/messages`, {
    content: 'Your parcel **left customs** this morning and arrives tomorrow.',
    author: 'Ada',
  })
  return { conversation: conversation_id, webhook: webhook.id, channel: channel.id }
}
