import { setTimeout as wait } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { TestAgent, TestAnswer } from '../support/app.ts'
import type { TestChannel } from '../support/platform-peer.ts'
import { LINE_DESTINATION, lineMessage, sign } from '../support/platform-peer.ts'
import { type Answered, isKept, type Ledger, note } from './ledger.ts'

/** The names of promises that are watched while the load runs. */
export const KEPT = 'what was answered stays'
export const STATUSES = 'no answer is an error of the service, other than that it is away'

/** The most requests that are under way at once: what is slow is then asked more rarely, as people would. */
const MOST = 64
const PEOPLE = 20
/** The conversations in which a prompt may go on. */
const RECENT = 200
const REFUSED_FOR_A_WHILE = 503

interface World {
  ledger: Ledger
  draw(least: number, most: number): number
  /** Returns the agent behind one of the processes that serve; null while there is none. */
  agent(): TestAgent | null
  channel: Pick<TestChannel, 'id' | 'secret'>
}

interface Answer {
  status: number
  body: TestAnswer['body']
}

/** A mixed load on the service. */
interface Load {
  /** Asks so many times a second until it is over. */
  run(rate: number, isOver: () => boolean): Promise<void>
  /** Ends what a kill has interrupted: erasures that were asked for. */
  finish(): Promise<void>
}

export function createLoad({ ledger, draw, agent, channel }: World): Load {
  const conversations: string[] = []
  const chats = Array.from({ length: PEOPLE }, () => Promise.resolve())
  /** The completions that a call may not have erased to the end. */
  const erasing = new Set<Answered>()
  let made = 0

  /** Asks and notes it; null if there was no answer. */
  async function ask(
    what: string,
    send: (agent: TestAgent) => Promise<Answer>,
    expected: readonly number[] = [200],
  ): Promise<Answer | null> {
    const at = ledger.now()
    const asked = agent()
    const answer = asked ? await send(asked).catch(() => null) : null
    ledger.asked.push({ at, what, ms: ledger.now() - at, status: answer?.status ?? 0 })
    if (!answer || answer.status === REFUSED_FOR_A_WHILE) return null
    if (expected.includes(answer.status)) return answer
    note(ledger, STATUSES, `${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
    return null
  }

  async function prompt(isStream: boolean): Promise<void> {
    const number = made++
    const mark = `mark${number}q${draw(1000, 9999)}`
    const text = `Where is the parcel ${mark} that I sent last week?`
    const isNew = conversations.length === 0 || draw(1, 10) <= 3
    const external_id = isNew ? `c${number}` : conversations[draw(0, conversations.length - 1)]
    const body = { messages: [{ role: 'user', content: text }], external_id, stream: isStream }
    const answer = await ask(isStream ? 'stream' : 'prompt', (agent) => completion(agent, body))
    if (!answer) return
    const { id, conversation_id: conversation, text: said, agent_paused } = answer.body
    ledger.answered.push({
      id,
      conversation,
      mark,
      prompt: text,
      answer: agent_paused ? null : said,
      state: 'kept',
    })
    if (!isNew || conversations.push(String(external_id)) <= RECENT) return
    conversations.shift()
  }

  /** A person of the channel writes; the platform delivers it again and again until it is taken. */
  function say(): void {
    const person = draw(0, PEOPLE - 1)
    const from = `U${String(person).padStart(32, '0')}`
    const text = `said${made++}`
    chats[person] = (chats[person] ?? Promise.resolve()).then(async () => {
      ledger.said.set(from, [...(ledger.said.get(from) ?? []), text])
      // Without a reply token each answer is pushed, under a key by which the platform knows a repeat.
      const { replyToken: _, ...event } = lineMessage(from, text, text)
      const raw = JSON.stringify({ destination: LINE_DESTINATION, events: [event] })
      for (;;) {
        const taken = await ask('channel message', (agent) =>
          post(
            `${agent.baseUrl}/channels/${channel.id}/messenger-three`,
            raw,
            sign('messenger-three', raw, channel.secret),
          ),
        )
        if (taken) return
        await wait(100)
      }
    })
  }

  async function read(): Promise<void> {
    const one = pick()
    if (!one) return
    const answer = await ask('read', (agent) => get(agent, `/chat/completions/${one.id}`), [200, 404])
    if (!answer || one.state !== 'kept') return
    const { prompt, response } = answer.body.data ?? {}
    if (!isKept(one, { prompt, response }))
      note(
        ledger,
        KEPT,
        `completion ${one.id}: ${answer.status} ${JSON.stringify([prompt, response, one.answer])}`,
      )
  }

  async function search(): Promise<void> {
    const one = pick()
    if (!one) return
    const answer = await ask('search', (agent) => get(agent, `/search?q=${one.mark}`))
    if (answer && one.state === 'kept' && answer.body.data.length === 0)
      note(ledger, KEPT, `a search does not find ${one.mark}`)
  }

  /**
   * Erases a completion. A call that a kill ends is repeated, even if another one ended well at the same time: what it
   * had begun is open until then.
   */
  async function erase(one: Answered): Promise<void> {
    if (one.state === 'kept') one.state = 'erasing'
    const isRepeat = erasing.has(one)
    const answer = await ask('erasure', (agent) =>
      post(`${agent.baseUrl}/chat/completions/${one.id}/scrub`, '', agent.headers),
    )
    if (answer?.body.data.remaining !== 0) return void erasing.add(one)
    one.state = 'erased'
    if (isRepeat) erasing.delete(one)
  }

  async function pause(): Promise<void> {
    const conversation = conversations[draw(0, conversations.length - 1)]
    if (conversation === undefined) return
    const path = `/conversations/${conversation}`
    const send = (act: string) => (agent: TestAgent) =>
      post(`${agent.baseUrl}${path}/${act}`, '', agent.headers)
    await ask('pause', send('pause'))
    await wait(500)
    while (!(await ask('resume', send('resume')))) await wait(100)
  }

  function pick(): Answered | undefined {
    return ledger.answered[draw(0, ledger.answered.length - 1)]
  }

  /** Does one thing of the mix. */
  async function act(): Promise<void> {
    const chance = draw(1, 100)
    if (chance <= 50) return prompt(chance % 2 === 0)
    if (chance <= 62) return say()
    if (chance <= 74) return void (await ask('inbox', (agent) => get(agent, '/inbox?view=all')))
    if (chance <= 82) return search()
    if (chance <= 92) return read()
    if (chance > 97) return pause()
    const one = pick()
    if (one && one.state !== 'erased') await erase(one)
  }

  return {
    async run(rate, isOver) {
      const underWay = new Set<Promise<void>>()
      for (let next = ledger.now(); !isOver(); next += 1000 / rate) {
        await wait(Math.max(0, next - ledger.now()))
        if (underWay.size >= MOST) await Promise.race(underWay)
        const one: Promise<void> = act().finally(() => underWay.delete(one))
        underWay.add(one)
      }
      await Promise.all([...underWay, ...chats])
    },
    async finish() {
      while (erasing.size > 0) {
        for (const one of erasing) await erase(one)
        await wait(50)
      }
    },
  }
}

export async function get(agent: TestAgent, path: string): Promise<Answer> {
  const answer = await fetch(agent.baseUrl + path, { headers: agent.headers })
  return { status: answer.status, body: await answer.json() }
}

async function post(url: string, raw: string, headers: Record<string, string>): Promise<Answer> {
  const type = raw === '' ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...type },
    ...(raw === '' ? {} : { body: raw }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text }
}

/** Sends a prompt; returns id, conversation and text of its answer, whether it came whole or in pieces. */
async function completion(agent: TestAgent, body: { stream: boolean }): Promise<Answer> {
  const answer = await fetch(`${agent.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { ...agent.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!body.stream || answer.status !== 200 || !answer.body) {
    const whole = JSON.parse(await answer.text())
    const text = whole.choices?.[0].message.content
    return { status: answer.status, body: answer.status === 200 ? { ...whole, text } : whole }
  }
  const told = { id: '', conversation_id: '', text: '', agent_paused: false }
  let isWhole = false
  const events = answer.body
    .pipeThrough(new TextDecoderStream() as never)
    .pipeThrough(new EventSourceParserStream())
  for await (const { data } of events) {
    if (data === '[DONE]') isWhole = true
    else {
      const { error, id, conversation_id, agent_paused, choices } = JSON.parse(data)
      if (error) return { status: error.code === 'unavailable' ? REFUSED_FOR_A_WHILE : 500, body: error }
      told.id = id
      told.conversation_id ||= conversation_id ?? ''
      told.agent_paused ||= agent_paused ?? false
      told.text += choices?.[0]?.delta.content ?? ''
    }
  }
  if (!isWhole) throw new Error('the stream broke off')
  return { status: 200, body: told }
}
