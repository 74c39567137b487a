import type { FloorDatabase } from './floor-database.ts'
import { ADDED_UP, CHANGE, COUNTER, EVENT } from './floor-rows.ts'

/** The rows of three rules that act on a prompt, in the transactions that they belong to. */
interface FloorRules {
  /** Writes the rows of a guardrail that flags the prompt. */
  flag(agent: number, conversation: string, completion: string, at: string): void
  /** Writes the rows of a CTA beside the answer and of a queued automation. @returns the automation's job */
  show(agent: number, conversation: string, completion: string, at: string): number
  /** Writes the rows of the automation, which tags the conversation. */
  act(agent: number, conversation: string, completion: string, at: string, job: number): void
}

export function openFloorRules(insert: FloorDatabase['insert']): FloorRules {
  const event = insert('events', EVENT)
  const twoEvents = insert('events', EVENT, 2)
  const log = insert('rule_log', [
    ...[
      'agent_id',
      'rule_id',
      'conversation_id',
      'completion_id',
      'at',
      'outcome',
      'conditions',
      'evaluation',
    ],
  ])
  const happeningColumns = [
    ...['agent_id', 'conversation_id', 'kind', 'at', 'after_message', 'actor_kind', 'actor_id', 'actor_name'],
    ...['completion_id', 'details'],
  ]
  const twoHappenings = insert('happenings', happeningColumns, 2)
  const evaluation = insert('evaluations', [
    ...[
      'agent_id',
      'completion_id',
      'evaluator_id',
      'evaluator_name',
      'rule_id',
      'subject',
      'score',
      'passed',
    ],
    ...['content', 'created_at'],
  ])
  const counter = insert('quarter_counters', COUNTER, 1, ADDED_UP)
  const shown = insert('cta_counts', ['conversation_id', 'cta_id', 'shown', 'shown_at'])
  const job = insert('automation_jobs', [
    ...[
      'agent_id',
      'completion_id',
      'conversation_id',
      'facts',
      'runs',
      'state',
      'lease',
      'created_at',
      'attempts',
    ],
    'due_at',
  ])
  const done = insert(
    'automation_jobs',
    ['id', 'agent_id', 'completion_id', 'conversation_id', 'facts', 'runs', 'state', 'created_at', 'due_at'],
    1,
    'on conflict (id) do update set state = excluded.state, runs = excluded.runs, lease = 1, attempts = 1',
  )
  const tag = insert('conversation_tags', ['conversation_id', 'name', 'value', 'agent_id'])
  const change = insert('changes', CHANGE)
  const held = '[{"field":"prompt.text","op":"contains_any","held":true}]'
  const runs = '[{"id":3,"name":"tag","status":"succeeded","action":1,"decidedBy":{},"conditions":[]}]'
  return {
    flag(agent, conversation, completion, at) {
      const about = [at, conversation, completion]
      event.run(agent, 'guardrail_trigger', ...about, '{"guardrail":{"id":1,"name":"g","action":"flag"}}')
      evaluation.run(agent, completion, 1, 'words', 1, 'prompt', 1, 1, 'saturday', at)
      log.run(agent, 1, conversation, completion, at, 'fired', null, '{"evaluation":{"score":1}}')
      const fired = [agent, conversation, 'rule_fired', at, 1, 'rule', 1, 'g', completion]
      const waits = [agent, conversation, 'waiting', at, 1, 'system', null, null, null]
      twoHappenings.run(...fired, '{"kind":"guardrail"}', ...waits, '{"reason":"flagged"}')
      counter.run(agent, at.slice(0, 10), 'guardrail_hits', 1, 1, 1)
    },
    show(agent, conversation, completion, at) {
      event.run(agent, 'cta_trigger', at, conversation, completion, '{"cta":{"id":2,"name":"hours"}}')
      shown.run(conversation, 2, 1, at)
      log.run(agent, 2, conversation, completion, at, 'fired', held, null)
      counter.run(agent, at.slice(0, 10), 'ctas_shown', 1, 1, 1)
      const queued = [agent, completion, conversation, '{"answered":true}', '[]', 'pending', 0, at, 0, at]
      return Number(job.run(...queued).lastInsertRowid)
    },
    act(agent, conversation, completion, at, id) {
      const about = [at, conversation, completion]
      tag.run(conversation, 'hours', 'true', agent)
      const tagged = [agent, conversation, 'tagged', at, 2, 'rule', 3, 'tag', completion, '{"set":["hours"]}']
      const fired = [agent, conversation, 'rule_fired', at, 2, 'rule', 3, 'tag', completion, null]
      twoHappenings.run(...tagged, ...fired)
      log.run(agent, 3, conversation, completion, at, 'fired', held, null)
      twoEvents.run(
        ...[agent, 'automation_trigger', ...about, '{"automation":{"id":3},"status":"succeeded"}'],
        ...[agent, 'automations_end', ...about, '{"automations":[{"id":3,"status":"succeeded"}]}'],
      )
      change.run(agent, conversation, at, '[{"type":"conversation","fields":["tags"]}]')
      done.run(id, agent, completion, conversation, '{"answered":true}', runs, 'done', at, at)
    },
  }
}
