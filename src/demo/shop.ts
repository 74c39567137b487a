import type { z } from 'zod'
import type { AgentSettings } from '../agents/settings.ts'
import type { newTarget } from '../desk/targets/target.ts'
import type { newEvaluator } from '../evaluators/schemas.ts'
import type { NewGroup } from '../groups/save-group.ts'
import type { newView } from '../inbox/views/saved-view.ts'
import type { newMacro } from '../macros/macro.ts'
import type { ruleSchemas } from '../rules/schemas.ts'
import type { newWidget } from '../widgets/schemas.ts'
import { german } from './texts/de.ts'
import { english } from './texts/en.ts'
import { spanish } from './texts/es.ts'
import { french } from './texts/fr.ts'
import { japanese } from './texts/ja.ts'
import type { Topic } from './texts/texts.ts'

/** The name of the demo's agent. */
export const NAME = 'Demo'

/** The address of the fictitious shop's site. */
export const SITE = 'https://shop.example'
/** The host of its addresses. It is reserved for examples: no mail ever arrives there. */
export const HOST = 'shop.example'

export const languages = [english, german, spanish, french, japanese] as const

export const settings: Partial<AgentSettings> = {
  instructions:
    'You help customers of Elm Street Cycles, a bicycle shop with a workshop. Answer from the documents, in the ' +
    'language of the question, in two or three sentences. Never promise a date that the documents do not promise.',
  greeting: 'Hello, this is Elm Street Cycles. What can I do for you?',
  pause_message: 'A colleague takes over from here.',
  resume_message: 'The assistant is back.',
  time_zone: 'Europe/Berlin',
}

type NewEvaluator = z.input<typeof newEvaluator>
type Guardrail = Omit<z.input<typeof ruleSchemas.guardrail>, 'evaluator_id'>

/** Guardrails, each with the evaluator that it acts on. */
export const guardrails: readonly { evaluator: NewEvaluator; guardrail: Guardrail }[] = [
  {
    evaluator: { name: 'Card numbers', kind: 'personal_data', settings: { types: ['CREDIT_CARD'] } },
    guardrail: {
      name: 'No card numbers',
      on: 'prompt',
      action: 'replace',
      replacement: '[card number removed]',
    },
  },
  {
    evaluator: {
      name: 'Insults',
      kind: 'keywords',
      settings: { words: ['idiot', 'moron', 'Vollidiot', 'imbécil', 'imbécile'] },
    },
    guardrail: {
      name: 'Insults go to a person',
      on: 'prompt',
      action: 'block',
      reply: 'I see that you are annoyed. A colleague takes over and answers here.',
    },
  },
]

export const ctas: readonly z.input<typeof ruleSchemas.cta>[] = [
  {
    name: 'Track a parcel',
    content: 'See where your parcel is',
    button: 'Track it',
    url: `${SITE}/orders`,
    condition: {
      field: 'prompt.text',
      op: 'contains_any',
      value: ['order', 'parcel', 'Bestellung', 'pedido', 'commande', '注文'],
    },
    max_per_conversation: 1,
  },
  {
    name: 'Book a service',
    content: 'Book a slot in our workshop',
    button: 'Choose a day',
    url: `${SITE}/workshop`,
    condition: {
      field: 'prompt.text',
      op: 'contains_any',
      value: ['service', 'repair', 'Inspektion', 'reparieren', 'revisión', 'révision'],
    },
    max_per_conversation: 1,
  },
]

export const automations: readonly z.input<typeof ruleSchemas.automation>[] = [
  {
    name: 'Asks for a person',
    condition: {
      field: 'prompt.text',
      op: 'contains_any',
      value: ['talk to a person', 'human', 'Mitarbeiter', 'Menschen', 'una persona', 'conseiller', '担当者'],
    },
    actions: [{ type: 'request_person' }, { type: 'tag', tag: 'wants-a-person' }],
  },
  {
    name: 'Refunds',
    condition: {
      field: 'prompt.text',
      op: 'contains_any',
      value: ['refund', 'money back', 'Erstattung', 'Geld', 'reembolso', 'remboursement', '返金'],
    },
    actions: [{ type: 'tag', tag: 'refund' }],
  },
  {
    name: 'Safety first',
    condition: { field: 'prompt.text', op: 'contains_any', value: ['crack', 'brake', 'Bremse', 'freins'] },
    actions: [
      { type: 'tag', tag: 'safety' },
      { type: 'add_note', text: 'Something may be unsafe to ride: answer this one first.' },
    ],
  },
]

/** Canned answers of the shop's people. */
export const replies = [
  {
    shortcut: 'hello',
    content: 'Hello {user.name}, this is {operator.name} from Elm Street Cycles. How can I help?',
    tags: ['greeting'],
  },
  {
    shortcut: 'photo',
    content: 'Could you send me the order number and a photo? Then I can look into it at once.',
    tags: ['warranty'],
  },
  {
    shortcut: 'refund',
    content: 'Your refund has left us. Banks need one or two working days to show it.',
    tags: ['returns', 'payment'],
  },
  {
    shortcut: 'danke',
    content: 'Vielen Dank für Ihre Geduld, {user.name}. Ist noch etwas offen?',
    tags: ['german'],
  },
]

/** The chat on the shop's site. Only the service's own pages may open it until somebody names other origins. */
export const widget: z.input<typeof newWidget> = {
  name: 'Chat on the site',
  look: { title: 'Elm Street Cycles', color: '#1d6b4f' },
  texts: {
    en: {
      greeting: 'Hello! Ask us about your order, our bicycles or the workshop.',
      suggestions: ['How long does delivery take?', 'How much is a service?', 'Which frame size do I need?'],
    },
    de: {
      greeting: 'Hallo! Fragen Sie uns zu Ihrer Bestellung, unseren Rädern oder der Werkstatt.',
      suggestions: ['Wie lange dauert die Lieferung?', 'Was kostet eine Inspektion?'],
    },
  },
}

/** Channels without credentials, switched off: nothing comes in or goes out through them. */
export const channels = [
  { kind: 'messenger-one', name: 'WhatsApp (demo)' },
  { kind: 'messenger-three', name: 'LINE (demo)' },
] as const

/** A webhook that is switched off. Its name is reserved for documentation: nobody ever answers there. */
export const webhook = {
  name: 'Order system (demo)',
  url: 'https://orders.shop.example/parley',
  events: ['new_conversation', 'response_flag', 'guardrail_trigger'],
} as const

/** The group that looks after bicycles. */
export const WORKSHOP = 'Workshop'

const BERLIN = { time_zone: 'Europe/Berlin', holidays: [] }

/** The groups of the shop's people, and the topics that each looks after. */
export const groups: readonly (Pick<NewGroup, 'name' | 'assignment' | 'at_once' | 'hours'> & {
  people: readonly string[]
  topics: readonly Topic[]
})[] = [
  {
    name: 'Orders',
    assignment: 'round_robin',
    at_once: 5,
    hours: { ...BERLIN, week: [{ days: [1, 2, 3, 4, 5, 6], from: '09:00', to: '18:00' }] },
    people: languages.map(({ colleague }) => colleague),
    topics: ['delivery', 'returns', 'payment', 'other'],
  },
  {
    name: WORKSHOP,
    assignment: 'least_loaded',
    at_once: 3,
    hours: {
      ...BERLIN,
      week: [
        { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' },
        { days: [6], from: '10:00', to: '14:00' },
      ],
    },
    people: [english, german, french].map(({ colleague }) => colleague),
    topics: ['warranty', 'workshop', 'advice'],
  },
]

export const target: z.input<typeof newTarget> = { name: 'An answer within 15 minutes', first_response: 15 }

export const macro: z.input<typeof newMacro> = {
  name: 'Ask for a photo',
  shared: true,
  actions: [
    { type: 'reply', text: 'Could you send me a photo, {user.name}? Then I can look into it at once.' },
    { type: 'tag', tag: 'photo' },
    { type: 'snooze', minutes: 2 * 24 * 60 },
  ],
}

/** Returns a shared view of what the workshop has to do. */
export function viewOf(group: number): z.input<typeof newView> {
  return { name: 'Workshop, most urgent first', shared: true, query: { view: 'open', group, sort: 'due' } }
}

/** Returns an automation that gives questions about bicycles to the workshop. */
export function automationOf(group_id: number): z.input<typeof ruleSchemas.automation> {
  return {
    name: 'Bicycles go to the workshop',
    on: 'waiting',
    condition: { field: 'tags.topic', op: 'in', value: ['warranty', 'workshop', 'advice'] },
    actions: [
      { type: 'assign', group_id },
      { type: 'priority', priority: 'high' },
    ],
  }
}
