/** The operations that people with the right to respond may use, by how they obey a scope. */

/** The names of a conversation and of what is in it. */
export interface Named {
  conversation: string
  completion: string
  number: string
  response: string
  user: string
  message: string
  attachment: string
  proposal: string
  macro: string
  automation: string
  run: string
}

/** A request that names something of a conversation: 404 outside of the scope. */
type Direct = (named: Named) => { path: string; body?: unknown }

const ofConversation =
  (rest: string, body?: unknown): Direct =>
  ({ conversation }) => ({ path: `/conversations/${conversation}${rest}`, body })

const ofCompletion =
  (rest: string, body?: unknown): Direct =>
  ({ completion }) => ({ path: `/chat/completions/${completion}${rest}`, body })

export const DIRECT: Record<string, Direct | Direct[]> = {
  'POST /chat/completions': ({ conversation }) => ({
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hello' }], conversation_id: conversation },
  }),
  'GET /chat/completions/{id}': [
    ofCompletion(''),
    ({ number }) => ({ path: `/chat/completions/${number}` }),
    ({ response }) => ({ path: `/chat/completions/${response}` }),
  ],
  'GET /chat/completions/{id}/trace': ofCompletion('/trace'),
  'POST /chat/completions/{id}/like': ofCompletion('/like', { liked: true }),
  'POST /chat/completions/{id}/flag': ofCompletion('/flag', { flagged: false }),
  'POST /chat/completions/{id}/feedback': ofCompletion('/feedback', { feedback: 'good' }),
  'POST /chat/completions/{id}/clicks': ofCompletion('/clicks', { kind: 'footer', target: 'x' }),
  'POST /responses': ({ response }) => ({
    path: '/responses',
    body: { input: 'Hello', previous_response_id: response },
  }),
  'GET /responses/{id}': ({ response }) => ({ path: `/responses/${response}` }),
  'GET /conversations/{id}': ofConversation(''),
  'GET /conversations/{id}/messages': ofConversation('/messages'),
  'GET /conversations/{id}/attachments/{attachment_id}': ({ conversation, attachment }) => ({
    path: `/conversations/${conversation}/attachments/${attachment}`,
  }),
  'GET /conversations/{id}/draft': ofConversation('/draft'),
  'GET /conversations/{id}/summary': ofConversation('/summary'),
  'GET /conversations/{id}/earlier': ofConversation('/earlier'),
  'POST /conversations/{id}/live/replay': ofConversation('/live/replay'),
  'GET /conversations/{id}/notes': ofConversation('/notes'),
  'GET /conversations/{id}/replies': ofConversation('/replies'),
  'GET /conversations/{id}/rating': ofConversation('/rating'),
  'GET /conversations/{id}/timeline': ofConversation('/timeline'),
  'GET /inbox/{id}': ({ conversation }) => ({ path: `/inbox/${conversation}` }),
  'GET /knowledge/proposals/{id}': ({ proposal }) => ({ path: `/knowledge/proposals/${proposal}` }),
  'GET /conversations/{id}/automations/{automation_id}': ({ conversation, automation }) => ({
    path: `/conversations/${conversation}/automations/${automation}`,
  }),
  'GET /conversations/{id}/macros/{macro_id}': ({ conversation, macro }) => ({
    path: `/conversations/${conversation}/macros/${macro}`,
  }),
  'POST /conversations/{id}/macros/{macro_id}': ({ conversation, macro }) => ({
    path: `/conversations/${conversation}/macros/${macro}`,
  }),
  'POST /conversations/{id}/macro-runs/{run_id}/undo': ({ conversation, run }) => ({
    path: `/conversations/${conversation}/macro-runs/${run}/undo`,
  }),
  'GET /users/{id}': ({ user }) => ({ path: `/users/${user}` }),
  'PATCH /users/{id}': ({ user }) => ({ path: `/users/${user}`, body: { name: 'Ann' } }),
  'POST /users/{id}/merge': ({ user }) => ({ path: `/users/${user}/merge`, body: { into: user } }),
  'DELETE /users/{id}/merge': ({ user }) => ({ path: `/users/${user}/merge` }),
  'PUT /users/{id}/blocked': ({ user }) => ({ path: `/users/${user}/blocked`, body: { blocked: false } }),
  'POST /conversations/{id}/attachments': ofConversation('/attachments', {}),
  'POST /conversations/{id}/attachments/{attachment_id}/fetch': ({ conversation, attachment }) => ({
    path: `/conversations/${conversation}/attachments/${attachment}/fetch`,
    body: {},
  }),
  'POST /knowledge/proposals': [
    ({ conversation }) => ({ path: '/knowledge/proposals', body: { conversation_id: conversation } }),
    ({ completion }) => ({ path: '/knowledge/proposals', body: { completion_id: completion } }),
  ],
  'POST /conversations/{id}/messages': ofConversation('/messages', { content: 'Hello' }),
  'POST /conversations/{id}/messages/{message_id}/resend': ({ conversation, message }) => ({
    path: `/conversations/${conversation}/messages/${message}/resend`,
    body: {},
  }),
  'PUT /conversations/{id}/draft': ofConversation('/draft', { mode: 'reply', content: 'x' }),
  'POST /conversations/{id}/suggest': ofConversation('/suggest', {}),
  'POST /conversations/{id}/summarize': ofConversation('/summarize', {}),
  'POST /conversations/{id}/translate': ofConversation('/translate', { to: 'de', text: 'Hello' }),
  'POST /conversations/{id}/notes': ofConversation('/notes', { text: 'x' }),
  'POST /conversations/{id}/rating': ofConversation('/rating', { score: 5 }),
  'POST /conversations/{id}/typing': ofConversation('/typing'),
  'POST /conversations/{id}/presence': ofConversation('/presence'),
  'POST /conversations/{id}/pause': ofConversation('/pause'),
  'POST /conversations/{id}/resume': ofConversation('/resume'),
  'POST /conversations/{id}/wait': ofConversation('/wait'),
  'PUT /conversations/{id}/priority': ofConversation('/priority', { priority: 'high' }),
  'PUT /conversations/{id}/read': ({ conversation, message }) => ({
    path: `/conversations/${conversation}/read`,
    body: { message_id: Number(message) },
  }),
  'PUT /conversations/{id}/snooze': ofConversation('/snooze', { until: null }),
  'PUT /conversations/{id}/outcome': ofConversation('/outcome', { outcome: 'resolved' }),
  'PATCH /conversations/{id}': ofConversation('', { tags: { a: 1 } }),
  'POST /conversations/{id}/end': ofConversation('/end'),
  'POST /conversations/{id}/reopen': ofConversation('/reopen'),
  'POST /inbox/bulk': ({ conversation }) => ({
    path: '/inbox/bulk',
    body: { ids: [conversation], action: { type: 'tag', tags: { b: 1 } } },
  }),
  'PUT /conversations/{id}/assignee': ofConversation('/assignee', { operator_id: null }),
}

/** Lists of conversations or of what belongs to them: what is outside of the scope is absent, and not counted. */
export const LISTS: Record<string, string[]> = {
  'GET /chat/completions': [
    '/chat/completions',
    '/chat/completions?user_id=out',
    '/chat/completions?per_page=1',
  ],
  'GET /conversations': ['/conversations', '/conversations?per_page=1', '/conversations?snapshot=10'],
  'GET /inbox': [
    ...['all', 'open', 'unassigned', 'waiting', 'mine'].map((view) => `/inbox?view=${view}`),
    '/inbox?view=all&sort=waiting',
    '/inbox?view=all&sort=due',
    '/inbox?view=all&q=parcel',
    '/inbox?view=all&user_id=out',
    '/inbox?view=all&priority=normal',
  ],
  'GET /inbox/bulk/count': ['/inbox/bulk/count?view=all', '/inbox/bulk/count?view=all&user_id=out'],
  'GET /inbox/bulk/{id}/runs': ['/inbox/bulk/{bulk}/runs'],
  'GET /views': ['/views'],
  'GET /search': [
    '/search?q=parcel',
    '/search?q=parcel&in=notes',
    '/search?q=out',
    '/search?q=parcel&user_id=out',
  ],
  'GET /users': ['/users', '/users?q=out', '/users?per_page=1'],
  'GET /knowledge/proposals': ['/knowledge/proposals'],
  'GET /knowledge/unanswered': ['/knowledge/unanswered'],
  'GET /rules/{kind}/{id}/log': ['/rules/guardrail/{rule}/log'],
  'GET /notifications/{id}/deliveries': ['/notifications/{notification}/deliveries'],
  'GET /channels/{id}/parked': ['/channels/{channel}/parked'],
}

/** Tested where they are: streams below, first messages with the channels, and figures that count conversations. */
export const ELSEWHERE = [
  'GET /live',
  'POST /conversations',
  'GET /analytics/support',
  'GET /analytics/support/conversations',
]

/** Operations that name no conversation, nor anything of one: how the agent is set up, its figures, and its tests. */
export const OF_NO_CONVERSATION = [
  'GET /agent',
  'GET /agent/versions',
  'GET /usage',
  'GET /channels/{id}/templates',
  'POST /channels/{id}/attachments',
  'GET /colleagues',
  'GET /inbox/bulk/{id}',
  'DELETE /inbox/bulk/{id}',
  'POST /inbox/bulk/{id}/undo',
  'POST /views',
  'PATCH /views/{id}',
  'DELETE /views/{id}',
  'GET /macros',
  'POST /macros',
  'PATCH /macros/{id}',
  'DELETE /macros/{id}',
  'GET /replies',
  'POST /replies',
  'PATCH /replies/{id}',
  'DELETE /replies/{id}',
  'GET /pause',
  'GET /notifications',
  'GET /notifications/{id}',
  'GET /channels',
  'GET /channels/{id}',
  'GET /evaluators',
  'GET /evaluators/{id}',
  'GET /analytics',
  'GET /knowledge/imports',
  'GET /knowledge/imports/{id}',
  'GET /knowledge/imports/{id}/pages',
  'GET /knowledge/embedding',
  'GET /knowledge',
  'GET /knowledge/search',
  'GET /knowledge/{id}',
  'GET /tools',
  'GET /datasets',
  'GET /datasets/{id}',
  'GET /datasets/{id}/cases',
  'GET /datasets/{id}/cases/{case_id}',
  'GET /runs',
  'GET /runs/{id}',
  'GET /runs/{id}/cases/{case_id}',
  'GET /guardrails',
  'GET /guardrails/{id}',
  'GET /ctas',
  'GET /ctas/{id}',
  'GET /automations',
  'GET /automations/{id}',
  'GET /models',
  'GET /models/{model}',
  'POST /playground',
  'GET /groups',
  'GET /targets',
]
