import type { Macro } from '../../../api/types.ts'
import { isPriority } from '../../../ui/priorities.ts'

type Action = Macro['actions'][number]
export type ActionType = Action['type']

/** The types in the order in which they are offered, with the API's name for their argument; null if they take none. */
export const ARGUMENTS = {
  reply: 'text',
  tag: 'tag',
  assign: null,
  request_person: null,
  priority: 'priority',
  snooze: 'minutes',
  pause_conversation: null,
  end_conversation: null,
  send_message: 'text',
  add_note: 'text',
  call_webhook: 'url',
} satisfies Record<ActionType, 'tag' | 'text' | 'url' | 'priority' | 'minutes' | null>

export const macroActionTypes = Object.keys(ARGUMENTS) as ActionType[]
/** Rules do not answer as a person. */
export const ruleActionTypes = macroActionTypes.filter((type) => type !== 'reply')

/** An action as the form has it. */
export interface ActionValues {
  type: ActionType
  /** The tag, text, address, priority or minutes, depending on the type. */
  argument: string
  /** The ids of those to whom a conversation is assigned; `0`: nobody, empty: as it is. */
  operator: string
  group: string
  /** A new secret of a webhook; an empty text keeps the stored one. */
  secret: string
  on_failure: 'continue' | 'stop'
}

export const newAction: ActionValues = {
  type: 'tag',
  argument: '',
  operator: '',
  group: '',
  secret: '',
  on_failure: 'continue',
}

/** Returns stored actions as the form has them. */
export function actionValuesOf(actions: readonly Action[]): ActionValues[] {
  return actions.map((action) => {
    const name = ARGUMENTS[action.type]
    return {
      ...newAction,
      type: action.type,
      argument: name ? String(action[name] ?? '') : '',
      operator: idIn(action.operator_id),
      group: idIn(action.group_id),
      on_failure: action.on_failure,
    }
  })
}

function idIn(id: unknown): string {
  return id === undefined ? '' : String(id ?? 0)
}

/** Returns an action of the form as the API takes it. */
export function actionOf({ type, argument, operator, group, secret, on_failure }: ActionValues) {
  const name = ARGUMENTS[type]
  const idOf = (text: string) => (text === '0' ? null : Number(text))
  return {
    type,
    on_failure,
    ...(name ? { [name]: argumentOf(name, argument) } : {}),
    ...(type === 'assign' && operator ? { operator_id: idOf(operator) } : {}),
    ...(type === 'assign' && group ? { group_id: idOf(group) } : {}),
    ...(type === 'call_webhook' && secret ? { secret } : {}),
  }
}

function argumentOf(name: string, argument: string): string | number {
  if (name === 'minutes') return Number(argument)
  return name === 'priority' ? priorityIn(argument) : argument
}

/** Returns the priority that an argument names, or the one that the form shows at first. */
export function priorityIn(argument: string) {
  return isPriority(argument) ? argument : 'high'
}
