import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { createAwaited } from './awaited.ts'
import type { PeerRequest } from './peer.ts'

export const TELEGRAM_NAME = 'parley_test_bot'

let bots = 0

/** Returns the settings of a channel with a bot of its own: two channels cannot ask for the updates of one. */
export function telegramSettings() {
  return {
    bot_token: `${110201543 + ++bots}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw`,
    bot_username: TELEGRAM_NAME,
  }
}

/** A bot as Telegram keeps it. */
export interface TelegramBot {
  /** The arguments of the last `setWebhook`; null when updates wait to be asked for. */
  webhook: { url: string; secret_token: string; allowed_updates: string[] } | null
  /** The calls other than sending, by their method. */
  readonly calls: string[]
  /** Fails the next calls of `getUpdates`, one each. */
  failNext(...failures: ((response: ServerResponse) => void)[]): void
  /** Has people write: the updates wait until a call of `getUpdates` confirms them by a higher offset. */
  happens(...updates: { update_id: number }[]): void
  /** Resolves when this many updates are left that no call has confirmed. */
  untilLeft(count: number): Promise<void>
  /** Resolves when a condition is true of the bot. */
  until(isReady: () => boolean, what: string): Promise<void>
  /** The number of calls of `getUpdates` that wait. */
  readonly waiting: number
}

/** Telegram's side of the Bot API, apart from sending: tokens, the webhook, and asking for updates. */
export function telegramBots() {
  const known = new Map<string, ReturnType<typeof createBot>>()

  function botOf(token: string) {
    const bot = known.get(token) ?? createBot()
    known.set(token, bot)
    return bot
  }

  return {
    botOf: (token: string): TelegramBot => botOf(token),
    /** Answers a call other than sending; false when it is none of Telegram's. */
    answer(response: ServerResponse, { path, body }: PeerRequest): boolean {
      const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
      if (token === undefined || method === undefined) return false
      botOf(token).answer(response, method, JSON.parse(body || '{}'), token)
      return true
    },
  }
}

const MOST_AT_ONCE = 100

function createBot() {
  let updates: { update_id: number }[] = []
  let waiting: { response: ServerResponse; timer: NodeJS.Timeout }[] = []
  const failures: ((response: ServerResponse) => void)[] = []
  const awaited = createAwaited()
  const reply = (response: ServerResponse, result: unknown) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, result }))
  }
  const refuse = (response: ServerResponse, error_code: number, description: string) => {
    response.writeHead(error_code, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ok: false, error_code, description }))
  }

  /** Ends the calls that wait, with what there is. */
  function serve(): void {
    if (updates.length === 0) return
    for (const { response, timer } of waiting.splice(0)) {
      clearTimeout(timer)
      reply(response, updates.slice(0, MOST_AT_ONCE))
    }
  }

  function poll(
    response: ServerResponse,
    { offset = 0, timeout = 0 }: { offset?: number; timeout?: number },
  ) {
    const fail = failures.shift()
    if (fail) return fail(response)
    if (bot.webhook) return refuse(response, 409, "Conflict: can't use getUpdates while webhook is active")
    for (const { response, timer } of waiting.splice(0)) {
      clearTimeout(timer)
      refuse(response, 409, 'Conflict: terminated by other getUpdates request')
    }
    updates = updates.filter(({ update_id }) => update_id >= offset)
    const timer = setTimeout(() => {
      waiting = waiting.filter((call) => call.response !== response)
      reply(response, [])
    }, timeout * 1000)
    waiting.push({ response, timer })
    response.on('close', () => {
      clearTimeout(timer)
      waiting = waiting.filter((call) => call.response !== response)
      awaited.tell()
    })
    serve()
    awaited.tell()
  }

  const bot = {
    webhook: null as TelegramBot['webhook'],
    calls: [] as string[],
    failNext: (...next: typeof failures) => void failures.push(...next),
    happens(...more: { update_id: number }[]) {
      updates.push(...more)
      serve()
    },
    untilLeft: (count: number) =>
      awaited.until(() => updates.length === count, `${count} updates that are left`),
    until: awaited.until,
    get waiting() {
      return waiting.length
    },
    answer(response: ServerResponse, method: string, body: Record<string, never>, token: string): void {
      if (method === 'getUpdates') {
        poll(response, body)
        return
      }
      bot.calls.push(method)
      if (method === 'setWebhook') bot.webhook = body as never
      if (method === 'deleteWebhook') bot.webhook = null
      if (method === 'getMe')
        reply(response, {
          id: Number(token.split(':')[0]),
          is_bot: true,
          first_name: 'Test',
          username: TELEGRAM_NAME,
        })
      else reply(response, true)
      awaited.tell()
    },
  }
  return bot
}

/** Returns the header of Telegram's webhooks. It holds what `setWebhook` was given, and signs nothing. */
export function signTelegram(botToken: string): Record<string, string> {
  const token = createHmac('sha256', botToken).update('parley webhook').digest('base64url')
  return { 'x-telegram-bot-api-secret-token': token }
}

/** Returns a number for an id that tests name by a text. */
function numberOf(id: string): number {
  return Number.parseInt(createHmac('sha256', '').update(id).digest('hex').slice(0, 12), 16)
}

/** Returns the update of a text message in a private chat. */
export function telegramMessage(from: string, id: string, text: string) {
  const person = { id: Number(from), first_name: 'Ana' }
  return {
    update_id: numberOf(id),
    message: {
      message_id: numberOf(id),
      from: { ...person, is_bot: false, language_code: 'en' },
      chat: { ...person, type: 'private' },
      date: 1749416383,
      text,
    },
  }
}
