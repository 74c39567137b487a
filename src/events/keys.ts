/** The event keys with their labels and causes. Both code and documentation read this table. */
export const eventKeys = {
  prompt_submit: { label: 'Prompt submitted', cause: 'a prompt is stored' },
  response_start: { label: 'Response started', cause: 'the first piece of a response is there' },
  response_end: { label: 'Response ended', cause: 'a response is stored' },
  automation_trigger: { label: 'Automation triggered', cause: 'an automation ran' },
  automations_end: { label: 'Automations ended', cause: "all of a prompt's automations ended" },
  response_like: { label: 'Response liked', cause: 'a like is set, changed or taken back' },
  response_flag: { label: 'Response flagged', cause: 'a response is flagged or no longer flagged' },
  response_feedback: { label: 'Response feedback', cause: 'feedback on a response is given' },
  referral_click: { label: 'Referral clicked', cause: 'a click on a referral is reported' },
  cta_trigger: { label: 'CTA shown', cause: 'a call to action is attached to a response' },
  cta_click: { label: 'CTA clicked', cause: 'a click on a call to action is reported' },
  guardrail_trigger: { label: 'Guardrail triggered', cause: 'a guardrail matched a prompt or a response' },
  attribution_click: { label: 'Attribution clicked', cause: 'a click on a cited source is reported' },
  footer_click: { label: 'Footer clicked', cause: 'a click on the footer is reported' },
  new_user: { label: 'New user', cause: 'an agent sees an end user for the first time' },
  new_device: { label: 'New device', cause: 'an agent sees a device for the first time' },
  new_session: { label: 'New session', cause: 'an agent sees a session for the first time' },
  new_conversation: { label: 'New conversation', cause: 'a conversation is opened' },
  error: { label: 'Error', cause: 'a model, channel, automation, evaluator or redaction fails' },
} as const satisfies Record<string, { label: string; cause: string }>

export type EventKey = keyof typeof eventKeys
