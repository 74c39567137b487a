import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/clock.ts'
import type { Outcome } from '../transcripts/conversations/outcomes.ts'
import type { Random } from './random.ts'
import type { Question, Story, Texts } from './texts/texts.ts'

/** Conversations on an average day. */
const CONVERSATIONS_A_DAY = 8

/** The share of messages in each hour of a customer's day, and on each day of the week from Sunday on. */
const OF_HOURS = [1, 0, 0, 0, 0, 1, 3, 6, 10, 14, 16, 15, 12, 11, 12, 13, 13, 14, 16, 18, 17, 12, 7, 3]
const OF_WEEKDAYS = [0.6, 1.25, 1.15, 1.1, 1.05, 1, 0.85]

const BIKES = ['Commuter 7', 'Trail 29', 'Cargo Long', 'City E-Drive', 'Gravel One', 'Kids 20']
const PAGES = ['/orders', '/help', '/bikes/commuter-7', '/bikes/city-e-drive', '/checkout', '/workshop']

/** An end user of the demo. */
interface Customer {
  id: string
  name: string
}

/** The way a conversation is held: on the shop's site, over the API, or through a channel of this kind. */
type Through = 'site' | 'api' | 'messenger-one' | 'messenger-three'

export interface PlannedConversation {
  texts: Texts
  story: Story
  customer: Customer
  through: Through
  /** The value of each slot in the texts. */
  slots: Readonly<Record<string, string>>
  page: string
}

type Act =
  | { does: 'asks'; question: Question; text: string }
  | { does: 'likes' | 'dislikes' | 'clicks on a source' | 'clicks on an offer' }
  | { does: 'flags'; reason: string }
  | { does: 'gives feedback'; text: string; score: number | null }
  | { does: 'answers as a person' | 'adds a note'; text: string }
  | { does: 'rates'; score: number; comment: string | null }
  | { does: 'ends'; by: 'customer' | 'colleague' | 'silence'; outcome?: Outcome }
  | { does: 'is scrubbed' | 'is anonymized' }

/** Something that happens in a conversation at a time. */
export type Step = Act & { atMs: number; conversation: PlannedConversation }

interface MonthToPlan {
  languages: readonly Texts[]
  /** The length of the month. */
  days: number
  nowMs: number
}

/**
 * Plans what happens in the shop's last month, oldest first. Conversations overlap, colleagues answer in their working
 * hours, and the last conversations still wait for one of them.
 */
export function planMonth({ languages, days, nowMs }: MonthToPlan, random: Random): Step[] {
  const crowds = languages.map((texts) => ({ texts, customers: customersOf(texts, random) }))
  const starts = startsOfMonth(crowds, days, random, nowMs)
  // Each story is told once before any is repeated, so that even a short month contains them all.
  const untoldOf = new Map(languages.map((texts) => [texts, [...texts.stories]]))
  const first = starts.flatMap(({ texts, customers, startMs }) => {
    const untold = untoldOf.get(texts) ?? []
    const story = untold.pop() ?? random.pickWeighted(texts.stories, ({ weight = 1 }) => weight)
    return planStory(planned(texts, customers, story, random), random, startMs, nowMs)
  })
  const unfinished = crowds.flatMap(({ texts, customers }) =>
    texts.waiting.map((story) => planned(texts, customers, story, random)),
  )
  const waiting = unfinished.flatMap((conversation, index) => {
    const startMs = nowMs - (4 + index * 17 + random.between(0, 9)) * MINUTE_MS
    return planWaiting(conversation, random, startMs)
  })
  return [...first, ...waiting].filter(({ atMs }) => atMs < nowMs).sort((a, b) => a.atMs - b.atMs)
}

/** The customers who write in one language. */
interface Crowd {
  texts: Texts
  customers: readonly Customer[]
}

function customersOf({ customers }: Texts, random: Random): Customer[] {
  return customers.map((name) => ({ id: `customer-${random.between(10_000, 99_999)}`, name }))
}

/** Returns the start of each conversation of the month, with its language and customers. */
function startsOfMonth(crowds: readonly Crowd[], days: number, random: Random, nowMs: number) {
  const starts: (Crowd & { startMs: number })[] = []
  for (let day = days; day >= 0; day--) {
    const midnightMs = Math.floor(nowMs / DAY_MS - day) * DAY_MS
    const ofWeekday = OF_WEEKDAYS[new Date(midnightMs).getUTCDay()] ?? 1
    // The shop grows a little.
    const wanted = CONVERSATIONS_A_DAY * ofWeekday * (1.15 - (0.3 * day) / days)
    const count = Math.round(wanted * (0.85 + 0.3 * random.next()))
    for (let number = 0; number < count; number++) {
      const crowd = random.pickWeighted(crowds, ({ texts }) => texts.share)
      const hour = random.pickWeighted([...OF_HOURS.keys()], (hour) => OF_HOURS[hour] ?? 0)
      const atMs = midnightMs + (hour - crowd.texts.hoursAhead) * HOUR_MS + random.between(0, 3_599_000)
      starts.push({ ...crowd, startMs: atMs })
    }
  }
  return starts.filter(({ startMs }) => startMs < nowMs - 30 * MINUTE_MS)
}

function planned(texts: Texts, customers: readonly Customer[], story: Story, random: Random) {
  // Some customers come again and again.
  const customer = customers[Math.floor(random.next() ** 1.6 * customers.length)] ?? random.pick(customers)
  const [first = ''] = customer.name.split(' ')
  const messenger = texts.language === 'ja' ? 'messenger-three' : 'messenger-one'
  const conversation = {
    texts,
    customer,
    through: random.pickWeighted(['site', 'api', messenger] as const, (way) => (way === 'site' ? 6 : 2)),
    slots: {
      first,
      bike: random.pick(BIKES),
      order: String(random.between(104_000, 119_999)),
      email: `${asciiOf(first) || 'customer'}@example.com`,
      phone: `+44 20 7946 0${random.between(100, 999)}`,
    },
    page: random.pick(PAGES),
  }
  return { ...conversation, story: filled(story, conversation.slots) } satisfies PlannedConversation
}

/** Fills the slots in every text of a story. */
function filled<Part>(part: Part, slots: PlannedConversation['slots']): Part {
  if (typeof part === 'string') return part.replace(/\{(\w+)\}/g, (_, name) => slotOf(slots, name)) as Part
  if (Array.isArray(part)) return part.map((inner) => filled(inner, slots)) as Part
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, filled(inner, slots)])) as Part
}

function slotOf(slots: PlannedConversation['slots'], name: string): string {
  const value = slots[name]
  if (value === undefined) throw new Error(`the demo has a slot {${name}} that nothing fills`)
  return value
}

/** Plans a conversation that comes to an end, if there is still time for it. */
function planStory(
  conversation: PlannedConversation,
  random: Random,
  startMs: number,
  nowMs: number,
): Step[] {
  const { steps, endMs, hasPerson } = planLines(conversation, random, startMs, true)
  const isSolved = hasPerson && random.happens(0.6)
  const by = hasPerson ? 'colleague' : random.happens(0.6) ? 'customer' : 'silence'
  const isOld = startMs < nowMs - 4 * DAY_MS
  const ends: Act[] =
    isOld || random.happens(0.45) ? [{ does: 'ends', by, ...(isSolved ? { outcome: 'resolved' } : {}) }] : []
  if (random.happens(hasPerson ? 0.55 : 0.25)) ends.push(ratingOf(conversation, random))
  const later = ends.map((act, index) => ({
    ...act,
    conversation,
    atMs: endMs + (6 + index * 2 + random.between(0, 25)) * MINUTE_MS,
  }))
  const redacted: Step[] = isRedacted(steps, random)
    ? [{ does: random.happens(0.3) ? 'is scrubbed' : 'is anonymized', conversation, atMs: endMs + DAY_MS }]
    : []
  return [...steps, ...later, ...redacted]
}

/** Decides whether somebody redacted the conversation, as in most of those in which customers gave contact details. */
function isRedacted(steps: readonly Step[], random: Random): boolean {
  const tells = steps.some((step) => step.does === 'asks' && /@|\+44/.test(step.text))
  return random.happens(tells ? 0.7 : 0.01)
}

/** Plans a conversation in which somebody from the shop should answer now. */
function planWaiting(conversation: PlannedConversation, random: Random, startMs: number): Step[] {
  return planLines(conversation, random, startMs, false).steps
}

/** @param isPatient true if colleagues answer in their working hours, false if they answer at once */
function planLines(conversation: PlannedConversation, random: Random, startMs: number, isPatient: boolean) {
  const steps: Step[] = []
  let atMs = startMs
  let hasPerson = false
  for (const line of conversation.story.lines) {
    if ('ask' in line) {
      const text = random.pick(line.ask)
      // Customers who write to a person wait longer before they write again.
      if (steps.length > 0) atMs += random.between(25, hasPerson && isPatient ? 600 : 90) * 1000
      steps.push({ does: 'asks', question: line, text, atMs, conversation })
      for (const act of reactionsTo(line, conversation.texts, random)) {
        atMs += random.between(8, 30) * 1000
        steps.push({ ...act, atMs, conversation })
      }
    } else {
      const waitMs = random.between(3, isPatient ? 25 : 1) * MINUTE_MS
      atMs = isPatient ? inWorkingHours(atMs + waitMs) : atMs + waitMs / 3
      const isNote = 'note' in line
      hasPerson ||= !isNote
      const does = isNote ? 'adds a note' : 'answers as a person'
      steps.push({ does, text: isNote ? line.note : line.person, atMs, conversation })
    }
  }
  return { steps, endMs: atMs, hasPerson }
}

/** Returns the customer's reactions to an answer. */
function reactionsTo({ reply, from, flag, mood }: Question, { feedback }: Texts, random: Random): Act[] {
  if (reply === undefined) return []
  const acts: Act[] = []
  if (from && random.happens(0.3)) acts.push({ does: 'clicks on a source' })
  if (from && random.happens(0.4)) acts.push({ does: 'clicks on an offer' })
  const isGood = random.happens(mood === 'good' ? 0.6 : mood === 'bad' ? 0 : 0.18)
  const isBad = !isGood && random.happens(mood === 'bad' ? 0.5 : 0.04)
  if (isGood || isBad) acts.push({ does: isGood ? 'likes' : 'dislikes' })
  if (flag !== undefined) acts.push({ does: 'flags', reason: flag })
  if ((isGood || isBad) && random.happens(0.35)) {
    const score = random.happens(0.5) ? (isGood ? 5 : 2) : null
    acts.push({ does: 'gives feedback', text: random.pick(isGood ? feedback.good : feedback.bad), score })
  }
  return acts
}

function ratingOf({ texts: { comments } }: PlannedConversation, random: Random): Act {
  const score = random.pickWeighted([5, 4, 3, 2, 1], (score) => [0, 1, 1, 2, 5, 9][score] ?? 0)
  const comment = random.happens(0.45) ? random.pick(score > 3 ? comments.good : comments.bad) : null
  return { does: 'rates', score, comment }
}

/** Returns the time itself, or the start of the colleagues' next working day: Monday to Saturday, 8:00 to 17:00 UTC. */
function inWorkingHours(atMs: number): number {
  const at = new Date(atMs)
  const isWorking = at.getUTCDay() !== 0 && at.getUTCHours() >= 8 && at.getUTCHours() < 17
  if (isWorking) return atMs
  const nextHourMs = Math.floor(atMs / HOUR_MS + 1) * HOUR_MS
  // Not everything is answered in the first minute of the day.
  return inWorkingHours(nextHourMs + (atMs % (40 * MINUTE_MS)) / 40)
}

function asciiOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase()
}
