/** The type of errors in OpenAI's terms, by their HTTP status. */
const types = {
  400: 'invalid_request_error',
  403: 'authentication_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'invalid_request_error',
  415: 'invalid_request_error',
  416: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
} as const

const notFound = (what: string) => [404, `${what} not found.`] as const

/** The most of each thing that requests add. */
export const mostOf = {
  groups: 100,
  targets: 100,
  // A model is told of all of them with each prompt.
  tools: 100,
  datasets: 100,
  cases: 500,
  runs: 10,
  bulk_acts: 20,
  // A search looks through all of them at once.
  replies: 1000,
  views: 30,
  macros: 100,
  proposals: 200,
  imports: 100,
} as const

export type Limited = keyof typeof mostOf

/** Every error in Parley's answers: its HTTP status and its public message. */
export const errorTable = {
  invalid_request: [400, 'The request is not valid.'],
  invalid_json: [400, 'The body is not valid JSON.'],
  previous_response_not_found: [400, 'There is no such response to continue from.'],
  invalid_credentials: [403, 'The API key or the bearer token is missing or not valid.'],
  not_found: [404, 'There is nothing at this address.'],
  completion_not_found: notFound('Chat completion'),
  conversation_not_found: notFound('Conversation'),
  channel_not_found: notFound('Channel'),
  notification_not_found: notFound('Notification'),
  delivery_not_found: notFound('Delivery'),
  guardrail_not_found: notFound('Guardrail'),
  cta_not_found: notFound('CTA'),
  automation_not_found: notFound('Automation'),
  document_not_found: notFound('Document'),
  import_not_found: notFound('Import'),
  question_not_found: notFound('Unanswered question'),
  proposal_not_found: notFound('Proposal'),
  model_not_found: [404, 'The agent does not have this model.'],
  message_not_found: notFound('Message'),
  attachment_not_found: notFound('Attachment'),
  item_not_found: notFound('Parked item'),
  evaluator_not_found: notFound('Evaluator'),
  tool_not_found: notFound('Tool'),
  version_not_found: notFound('Version'),
  dataset_not_found: notFound('Dataset'),
  case_not_found: notFound('Test case'),
  run_not_found: notFound('Test run'),
  reply_not_found: notFound('Canned reply'),
  group_not_found: notFound('Group'),
  target_not_found: notFound('Target'),
  widget_not_found: notFound('Widget'),
  view_not_found: notFound('View'),
  notice_not_found: notFound('Notice'),
  push_browser_not_found: notFound('Browser'),
  macro_not_found: notFound('Macro'),
  macro_run_not_found: notFound('Run of a macro'),
  user_not_found: [404, 'End user not found.'],
  verify_token_mismatch: [403, "The verify token does not match the channel's."],
  webhook_refused: [403, 'The signature or the destination does not match the channel.'],
  insufficient_right: [403, 'This requires a higher right.'],
  operator_needed: [403, 'Only a person who is signed in can do this.'],
  no_session: [403, 'You are not signed in.'],
  invalid_login: [403, 'The e-mail address, the password or the code is wrong.'],
  code_needed: [403, 'The code of the second factor is missing.'],
  two_factor_required: [
    403,
    'The team requires a second factor: until you have set it up, you can do nothing else.',
  ],
  invalid_invitation: [403, 'This link is no longer valid.'],
  origin_refused: [403, 'The widget may not be used on pages of this origin.'],
  widget_inactive: [403, 'The widget is switched off.'],
  uploads_off: [403, 'Visitors may not send files here.'],
  mail_off: [403, 'This widget sends no answers by mail.'],
  invalid_visitor: [403, 'The visitor token is missing or no longer valid.'],
  identity_refused: [403, "The hash does not match the user's id."],
  identity_required: [403, 'Only users whose id is signed by the site may use this widget.'],
  cross_site: [
    403,
    'This request does not come from the console of this service. If it does, set PARLEY_PUBLIC_URL to the address at which the browser opens it.',
  ],
  erasure_not_found: notFound('Receipt of an erasure'),
  bulk_act_not_found: notFound('Bulk act'),
  agent_not_found: notFound('Agent'),
  key_not_found: [404, 'The agent has no valid API key with this id.'],
  token_not_found: [404, 'The team has no valid bearer token with this id.'],
  operator_not_found: notFound('Operator'),
  session_not_found: notFound('Session'),
  two_factor_missing: [409, 'Set up your own second factor before you require one of everybody.'],
  group_name_taken: [409, 'Another group of the team has this name.'],
  too_many_groups: [409, `A team has at most ${mostOf.groups} groups.`],
  too_many_targets: [409, `An agent has at most ${mostOf.targets} targets.`],
  email_taken: [409, 'This e-mail address is already taken.'],
  last_owner: [409, "The team's last active owner can neither be removed nor get a smaller right."],
  agent_in_use: [409, 'The agent must be paused before it is deleted.'],
  user_blocked: [409, 'The person is blocked: unblock them first.'],
  user_merged: [409, 'They are one person already.'],
  user_not_merged: [409, 'This end user is not merged into another one.'],
  merge_final: [409, 'The merge cannot be undone: it is older than 30 days, or the person was erased.'],
  user_ambiguous: [409, 'Several sources have this id. Name one as `source:id`.'],
  external_id_taken: [409, 'Another conversation of the team has this external_id.'],
  notification_inactive: [409, 'The notification is switched off, so nothing is sent.'],
  channel_in_use: [409, 'A widget mails unseen answers through this channel.'],
  address_refused: [409, 'No mail goes to this address now.'],
  evaluator_in_use: [409, 'A guardrail, CTA or automation uses this evaluator.'],
  response_not_latest: [409, 'The conversation has continued since this response.'],
  conversation_moved: [
    409,
    'Somebody has answered in this conversation since the message named in `after`. The newer messages are in `data`.',
  ],
  conversation_ended: [409, 'The conversation has ended. Reopen it first.'],
  window_closed: [
    409,
    'The platform delivers nothing to this person until they write again; a template reaches them where the platform has templates.',
  ],
  channel_inactive: [409, 'The channel is switched off, so nothing is sent.'],
  no_templates: [409, 'The channel has no templates.'],
  message_not_failed: [
    409,
    'The message cannot be sent again: it has not failed, or its channel no longer exists.',
  ],
  attachment_not_failed: [409, 'The file cannot be fetched again: fetching it has not failed.'],
  version_outdated: [409, 'The record has changed since you read it. Read it again.'],
  draft_moved: [
    409,
    'The draft has been changed or sent elsewhere since this version. The current draft is in `data`.',
  ],
  shortcut_taken: [409, 'Another canned reply of the agent has this shortcut.'],
  tool_name_taken: [409, 'Another tool of the agent has this name.'],
  too_many_tools: [409, `An agent has at most ${mostOf.tools} tools.`],
  too_many_datasets: [409, `An agent has at most ${mostOf.datasets} datasets.`],
  too_many_cases: [409, `A dataset has at most ${mostOf.cases} cases.`],
  too_many_runs: [409, `An agent has at most ${mostOf.runs} test runs waiting.`],
  bulk_act_begun: [409, 'The bulk act has begun and can no longer be cancelled.'],
  bulk_act_unfinished: [409, 'The bulk act has not finished. Undo it when it has.'],
  bulk_act_final: [409, 'Only a bulk act that ran a macro can be undone.'],
  too_many_bulk_acts: [409, `An agent has at most ${mostOf.bulk_acts} bulk acts under way.`],
  too_many_replies: [409, `An agent has at most ${mostOf.replies} canned replies.`],
  model_needed: [409, 'This needs a model: the built-in answerer only finds answers in the knowledge.'],
  nothing_to_say: [409, 'The conversation has nothing that a model could work on.'],
  too_many_views: [
    409,
    `An agent has at most ${mostOf.views} shared views, and each person has at most ${mostOf.views} of their own.`,
  ],
  too_many_macros: [
    409,
    `An agent has at most ${mostOf.macros} shared macros, and each person has at most ${mostOf.macros} of their own.`,
  ],
  too_many_proposals: [409, `An agent has at most ${mostOf.proposals} pending proposals.`],
  proposal_not_ready: [409, 'The proposal is still being written.'],
  nothing_to_propose: [
    409,
    'Nothing to propose: no question here was answered by a person, or its text was redacted.',
  ],
  too_many_imports: [409, `An agent has at most ${mostOf.imports} imports.`],
  idempotency_key_reused: [409, 'This Idempotency-Key was already used for a different request.'],
  idempotency_in_progress: [409, 'The first request with this Idempotency-Key is still being answered.'],
  event_gone: [409, 'The event of this delivery has been deleted.'],
  body_too_large: [413, 'The body is larger than this server accepts.'],
  unsupported_media_type: [415, 'The body must be sent as application/json.'],
  range_not_satisfiable: [416, 'The file is shorter than the range.'],
  template_not_found: [422, 'The platform has approved no such template in this language.'],
  template_mismatch: [422, 'The variables are not those of the template.'],
  headers_too_large: [431, 'The request headers are too large.'],
  rate_limited: [429, 'Too many requests. Wait as long as Retry-After says.'],
  budget_reached: [429, "The agent's budget for models is used up, so no model was asked."],
  internal_error: [500, 'Internal server error.'],
  redaction_service_failed: [500, 'The hosted redaction service failed. Repeat the call to continue.'],
  model_failed: [502, 'The model gave no usable answer. The prompt is kept.'],
  masking_failed: [
    502,
    'Personal data in the prompt could not be masked, so no model server was sent it. The prompt is kept.',
  ],
  platform_failed: [502, 'The platform gave no usable answer.'],
  unavailable: [503, 'The service cannot take this request now. Try again later.'],
} as const satisfies Record<string, readonly [status: keyof typeof types, message: string]>

export type ErrorCode = keyof typeof errorTable

/** The body of every error answer: the shape OpenAI clients read, plus the request's id. */
export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string }
  request_id: string
  /** The data that a caller needs to continue, for the errors that have some. */
  data?: unknown
}

interface ApiErrorOptions {
  /** A public message instead of the table's. It must not repeat a credential, a query string or message text. */
  message?: string
  /** The name of the field or parameter at fault. */
  param?: string
  headers?: Record<string, string>
  /** The value of `data` in the answer. */
  data?: unknown
  /** The internal cause: logged, never answered. */
  cause?: unknown
}

/** An error of the table. Any code may throw it; the error handler answers it. `unavailable` says when to come again. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly param: string | null
  readonly headers: Record<string, string>
  readonly data: unknown

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errorTable[code][1], { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = errorTable[code][0]
    this.param = options.param ?? null
    this.headers = { ...(code === 'unavailable' ? { 'retry-after': '5' } : {}), ...options.headers }
    this.data = options.data
  }

  body(requestId: string): ErrorBody {
    return {
      error: {
        message: this.message,
        type: types[errorTable[this.code][0]],
        param: this.param,
        code: this.code,
      },
      request_id: requestId,
      ...(this.data === undefined ? {} : { data: this.data }),
    }
  }
}

type NotFoundCode = Extract<ErrorCode, `${string}_not_found`>

/** Returns what a query found. @throws ApiError `code` when it found nothing */
export function foundOr<T>(value: T, code: NotFoundCode): NonNullable<T> {
  if (value === null || value === undefined) throw new ApiError(code)
  return value
}

/** The longest name in a message: a caller may send an unknown field with a name of any length. */
const LONGEST_NAME = 200

/**
 * Creates the error for a field of a request that is not valid.
 * @param param its name, with dots where it is nested; empty for the request as a whole
 * @param why the fault; must not repeat the value that was sent
 */
export function invalidField(param: string, why: string): ApiError {
  if (param === '') return new ApiError('invalid_request', { message: why })
  const name = param.slice(0, LONGEST_NAME).toWellFormed()
  return new ApiError('invalid_request', { param: name, message: `${name}: ${why}` })
}
