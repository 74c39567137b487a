import type { Kysely } from 'kysely'
import { bySystem } from '../../audit/record.ts'
import { changed } from '../../events/changes.ts'
import type { Hours } from '../../lib/hours/hours.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { countedBy, nextLook, run, type ShownClock, stateOf, stop } from '../../targets/clock.ts'
import {
  deleteClock,
  insertClocks,
  type NewClock,
  openClocks,
  readTargets,
  writeClock,
} from '../../targets/store.ts'
import type { ClockRow, TargetKind, TargetRow } from '../../targets/tables.ts'
import type { ConversationRow } from '../tables.ts'
import { type HoursAt, targetFor } from './choose-target.ts'
import { addHappening } from './happenings.ts'
import { readHours } from './hours-of.ts'
import { updateConversation } from './store.ts'

type Db = Kysely<Tables>

/** The change for which clocks are counted anew. */
type RecountReason = 'hours' | 'target' | 'group'

/** A clock, with its target as it is now. */
interface Placed {
  clock: ClockRow
  target: TargetRow | undefined
  hours: Hours | null
}

/**
 * Starts the clocks of a conversation that begins to wait, within the transaction in which it does: those of the first
 * target that fits. A clock that is open goes on. Returns when the next one is due, which the caller writes.
 */
export async function beginClocks(
  db: Db,
  conversation: ConversationRow,
  at: HoursAt,
): Promise<string | null> {
  const { id: conversation_id, agent_id, due_at } = conversation
  const { now, hours } = at
  const targets = await readTargets(db, agent_id)
  if (targets.length === 0) return due_at
  const target = await targetFor(db, conversation, targets, at)
  const open = await openClocks(db, conversation_id)
  const begun: NewClock[] = []
  if (target) {
    const answer = (await wasAnswered(db, { conversation_id })) ? 'next_response' : 'first_response'
    for (const kind of [answer, 'resolution'] as const) {
      const counted = countedBy(target, kind, hours)
      if (!counted || open.some((clock) => clock.kind === kind)) continue
      const stopped = { spent_ms: 0, since: null, ends_at: null }
      const runs = fateOf(conversation, kind) === 'runs'
      const count = runs ? run(stopped, counted, now) : stopped
      const due_at = runs ? nextLook({ ...count, warned_at: null }, counted, now) : null
      begun.push({ agent_id, conversation_id, target_id: target.id, kind, started_at: now, ...count, due_at })
    }
  }
  if (begun.length > 0) await insertClocks(db, begun)
  if (begun.length + open.length === 0) return due_at
  const moved = await moveEach(db, conversation, { open, targets, hours }, now)
  announceDue(db, conversation)
  return earliest([...begun.map(({ ends_at }) => ends_at), ...moved])
}

/**
 * Has the open clocks of a conversation follow what it does now, within a transaction that has locked it: they run
 * while it waits for people, and stand while it waits for its user or is put aside.
 * @param reason the change for which they are counted anew, which the timeline then names; absent: the conversation
 * itself changed
 */
export async function moveClocks(
  db: Db,
  conversation: ConversationRow,
  now: string,
  reason?: RecountReason,
): Promise<void> {
  const open = await openClocks(db, conversation.id)
  if (open.length === 0) return
  const targets = await readTargets(db, conversation.agent_id)
  const hours = await readHours(db, conversation)
  const due_at = earliest(await moveEach(db, conversation, { open, targets, hours }, now, reason))
  announceDue(db, conversation)
  if (due_at !== conversation.due_at) await updateConversation(db, conversation.id, { due_at })
}

/** Moves open clocks. Returns when each is due by then, or was. */
async function moveEach(
  db: Db,
  conversation: ConversationRow,
  { open, targets, hours }: { open: readonly ClockRow[]; targets: readonly TargetRow[]; hours: Hours | null },
  now: string,
  reason?: RecountReason,
): Promise<(string | null)[]> {
  const times: (string | null)[] = []
  for (const clock of open) {
    const target = targets.find(({ id }) => id === clock.target_id)
    times.push(await moveClock(db, conversation, { clock, target, hours }, now, reason))
  }
  return times
}

/** Moves a clock. Returns when it is due by then, or was; null: it stands, or is no longer open. */
async function moveClock(
  db: Db,
  conversation: ConversationRow,
  { clock, target, hours }: Placed,
  now: string,
  reason?: RecountReason,
): Promise<string | null> {
  const counted = countedBy(target, clock.kind, hours)
  const fate = counted && target ? fateOf(conversation, clock.kind) : 'dropped'
  if (fate === 'dropped' || !counted || !target) {
    if (clock.missed_at === null) await deleteClock(db, clock.id)
    else await writeClock(db, clock.id, clock, { ended_at: now })
    return null
  }
  // Its due time by the present hours and minutes, before anything moves it.
  const present =
    clock.since === null || clock.missed_at !== null ? clock : { ...clock, ...run(clock, counted, now) }
  const isMissed = clock.missed_at === null && present.ends_at !== null && present.ends_at <= now
  if (isMissed) await miss(db, conversation, present, target, now)
  const missed = isMissed || clock.missed_at !== null
  if (fate === 'reached') {
    const { ends_at } = present
    const count = present.since === null ? present : stop(present, counted.hours, now)
    const missing = isMissed ? { missed_at: now } : {}
    await writeClock(db, clock.id, { ...count, ends_at }, { ended_at: now, ...missing })
    return null
  }
  if (missed) return present.ends_at
  if (fate === 'stands') {
    if (clock.since !== null) await writeClock(db, clock.id, stop(present, counted.hours, now))
    return null
  }
  const next = run(present, counted, now)
  const look = nextLook({ ...next, warned_at: clock.warned_at }, counted, now)
  const isWarned = clock.warned_at === null && look !== null && look <= now
  const isMoved = next.ends_at !== clock.ends_at
  if (next.since === clock.since && !isMoved && !isWarned && look === clock.due_at) return next.ends_at
  // Notices find out who is told of the warning.
  if (isWarned) await writeClock(db, clock.id, next, { warned_at: now }, next.ends_at)
  else await writeClock(db, clock.id, next, {}, look)
  if (reason && isMoved && clock.since !== null)
    await addTargetHappening(db, conversation, 'target_moved', clock.kind, target, now, {
      reason,
      due_at: next.ends_at,
      was_due_at: clock.ends_at,
    })
  return next.ends_at
}

/**
 * Returns the next state of a clock: it `runs` or `stands`, its target was `reached`, or nobody has to reach it any more.
 * An answer pauses the agent; a conversation that goes back to the agent has no clock.
 */
function fateOf(
  { ended_at, waiting_since, agent_paused, snoozed_until }: ConversationRow,
  kind: TargetKind,
): 'runs' | 'stands' | 'reached' | 'dropped' {
  if (ended_at !== null) return kind === 'resolution' ? 'reached' : 'dropped'
  if (waiting_since !== null) return snoozed_until === null ? 'runs' : 'stands'
  if (agent_paused === 0) return 'dropped'
  return kind === 'resolution' ? 'stands' : 'reached'
}

/** Notes once that nobody came in time. */
async function miss(
  db: Db,
  conversation: ConversationRow,
  { id, kind, ends_at, spent_ms, since }: ClockRow,
  target: TargetRow,
  now: string,
): Promise<void> {
  await writeClock(db, id, { spent_ms, since, ends_at }, { missed_at: now })
  await addTargetHappening(db, conversation, 'target_missed', kind, target, now, { due_at: ends_at })
}

async function addTargetHappening(
  db: Db,
  { id: conversation_id, agent_id }: ConversationRow,
  kind: 'target_missed' | 'target_moved',
  of: TargetKind,
  { id, name }: TargetRow,
  at: string,
  details: Record<string, unknown>,
): Promise<void> {
  await addHappening(db, {
    agent_id,
    conversation_id,
    kind,
    at,
    by: bySystem.actor,
    details: { target: { id, name }, kind: of, ...details },
  })
}

function announceDue(db: Db, { id, agent_id }: ConversationRow): void {
  changed(db, { type: 'conversation', agent_id, conversation_id: id, fields: ['due'] })
}

/** Returns when the next clock of a conversation is due, or was, by which the inbox is ordered. */
function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((time) => time !== null).toSorted()[0] ?? null
}

const selectAnswer = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('messages')
    .select('id')
    .where('conversation_id', '=', param('conversation_id'))
    .where('role', '=', 'operator')
    .limit(1),
)

/** Tells whether a person has ever answered in a conversation. */
async function wasAnswered(db: Db, of: { conversation_id: string }): Promise<boolean> {
  return (await selectAnswer(db, of)).length > 0
}

/** The standing of a conversation by its targets: what is due next, or else what was due last. */
interface Due {
  kind: TargetKind
  /** The time at which it is due, or was; null while it is stopped. */
  at: string | null
  state: ReturnType<typeof stateOf>
}

/** Chooses among the clocks of a conversation the one that it is shown with. */
export function dueOf(clocks: readonly ShownClock[]): Due | null {
  const open = clocks.filter(({ ended_at }) => ended_at === null)
  const [next] = open
    .filter(({ ends_at }) => ends_at !== null)
    .toSorted((a, b) => (a.ends_at ?? '').localeCompare(b.ends_at ?? ''))
  const shown = next ?? open[0] ?? clocks.at(-1)
  return shown ? { kind: shown.kind, at: shown.ends_at, state: stateOf(shown) } : null
}
