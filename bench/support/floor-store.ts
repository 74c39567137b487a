// The rows that a prompt writes, and nothing else.
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { uuidv7 } from '../../src/lib/ids.ts'
import { openFloorDatabase } from './floor-database.ts'
import { ADDED_UP, CHANGE, COUNTER, EVENT } from './floor-rows.ts'
import { openFloorRules } from './floor-rules.ts'

/**
 * `all`: every row that Parley writes for a prompt; `least`: only conversation, completion and messages; `rules`: all,
 * and those of a guardrail, a CTA and an automation that act on it.
 */
export type Rows = 'all' | 'least' | 'rules'

interface StartedPrompt {
  conversationId: string
  completionId: string
}

interface FloorStore {
  start(content: string): Promise<StartedPrompt>
  end(started: StartedPrompt, content: string, usage: string): Promise<number>
}

const AGENT = 1

/** Opens the store. @param file a database that Parley has migrated and given its first agent */
export function openFloorStore(file: string, rows: Rows): FloorStore {
  const { database, insert, unit } = openFloorDatabase(file)
  if (rows === 'least') dropTriggers(database)
  const conversation = insert('conversations', [
    'id',
    'agent_id',
    'team_id',
    'sequence',
    'language',
    'started_at',
  ])
  const completion = insert('completions', [
    ...['id', 'agent_id', 'conversation_id', 'language', 'created_at', 'model', 'tags'],
  ])
  const message = insert('messages', [
    ...['agent_id', 'conversation_id', 'completion_id', 'role', 'content', 'withheld', 'created_at'],
  ])
  const events = insert('events', EVENT, 2)
  const counter = insert('quarter_counters', COUNTER, 1, ADDED_UP)
  const twoCounters = insert('quarter_counters', COUNTER, 2, ADDED_UP)
  const change = insert('changes', CHANGE)
  const ended = database.prepare(
    'update completions set model = ?, finish_reason = ?, answered_at = ?, usage = ? where id = ? and answered_at is null',
  )
  const sequence = database.prepare('update agent_counters set conversations = ? where agent_id = ?')
  const all = rows !== 'least'
  const rules = rows === 'rules' ? openFloorRules(insert) : null
  let conversations = 0

  const now = () => new Date().toISOString()
  const day = now().slice(0, 10)
  const say = (values: SQLInputValue[]) => Number(message.run(...values).lastInsertRowid)
  return {
    start: (content) =>
      unit(() => {
        const at = now()
        const conversationId = uuidv7(Date.now())
        const completionId = uuidv7(Date.now())
        conversations++
        conversation.run(conversationId, AGENT, 1, 1_000_000 + conversations, 'en', at)
        if (all) sequence.run(conversations, AGENT)
        completion.run(completionId, AGENT, conversationId, 'en', at, 'default', '[]')
        const id = say([AGENT, conversationId, completionId, 'user', JSON.stringify(content), 0, at])
        if (all) {
          const about = [at, conversationId, completionId, null]
          events.run(AGENT, 'new_conversation', ...about, AGENT, 'prompt_submit', ...about)
          counter.run(AGENT, day, 'prompts', 1, 1, 1)
          change.run(AGENT, conversationId, at, `[{"type":"message","message_id":${id}}]`)
        }
        rules?.flag(AGENT, conversationId, completionId, at)
        return { conversationId, completionId }
      }),
    end: ({ conversationId, completionId }, content, usage) =>
      unit(() => {
        const at = now()
        ended.run('default', 'stop', at, usage, completionId)
        const id = say([AGENT, conversationId, completionId, 'assistant', JSON.stringify(content), 0, at])
        if (all) {
          const about = [at, conversationId, completionId]
          events.run(
            ...[AGENT, 'response_start', ...about, null],
            ...[AGENT, 'response_end', ...about, '{"ms":2,"answered":true}'],
          )
          twoCounters.run(AGENT, day, 'responses', 1, 1, 1, AGENT, day, 'time:2', 1, 1, 1)
          change.run(AGENT, conversationId, at, `[{"type":"message","message_id":${id}}]`)
        }
        const job = rules?.show(AGENT, conversationId, completionId, at)
        // An automation acts after the answer, in a transaction of its own.
        if (rules && job) void unit(() => rules.act(AGENT, conversationId, completionId, now(), job))
        return id
      }),
  }
}

/** Opens the same store in a thread of its own; each call and each answer is a message. */
export function threadedFloorStore(file: string, rows: Rows): FloorStore {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { file, rows } })
  const waiting = new Map<number, (result: never) => void>()
  let calls = 0
  worker.on('message', ({ call, result }) => {
    waiting.get(call)?.(result as never)
    waiting.delete(call)
  })
  worker.on('error', (error) => {
    throw error
  })
  const call = <T>(name: keyof FloorStore, values: unknown[]): Promise<T> =>
    new Promise((resolve) => {
      calls++
      waiting.set(calls, resolve)
      worker.postMessage({ call: calls, name, values })
    })
  return {
    start: (...values) => call('start', values),
    end: (...values) => call('end', values),
  }
}

function dropTriggers(database: DatabaseSync): void {
  const triggers = database.prepare("select name from sqlite_master where type = 'trigger'").all()
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`)
}

if (parentPort) {
  const port = parentPort
  const store = openFloorStore(workerData.file, workerData.rows)
  port.on('message', async ({ call, name, values }) => {
    const method = store[name as keyof FloorStore] as (...values: unknown[]) => Promise<unknown>
    port.postMessage({ call, result: await method(...values) })
  })
}
