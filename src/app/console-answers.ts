import { z } from 'zod'
import { modelTest } from '../agents/routes.ts'
import { agentSchema } from '../agents/settings.ts'
import { listedAgent, teamSchema } from '../agents/team-routes.ts'
import { versionSchema } from '../agents/versions/routes.ts'
import { analytics } from '../analytics/routes.ts'
import { supportAnalytics } from '../analytics/support/support-routes.ts'
import { actSchema } from '../audit/routes.ts'
import { channelCheck, channelSchema, parkedItem, sentTestMessage } from '../channels/schemas.ts'
import { templateSchema } from '../channels/templates.ts'
import { handoffSummarySchema, translatedSchema } from '../copilot/routes.ts'
import { keySchema, newKeySchema, newTokenSchema, tokenSchema } from '../credentials/routes.ts'
import { draftSchema } from '../desk/draft-routes.ts'
import { targetSchema } from '../desk/targets/target.ts'
import { timelineAnswer } from '../desk/timeline-routes.ts'
import { evaluationSchema, evaluatorSchema } from '../evaluators/schemas.ts'
import { groupSchema } from '../groups/routes.ts'
import { listOf, pageOf } from '../http/paging.ts'
import { single } from '../http/schemas.ts'
import { bulkActSchema } from '../inbox/bulk/bulk-action.ts'
import { inboxAnswer, inboxEntrySchema, inboxItemSchema, matchingSchema } from '../inbox/schemas.ts'
import { viewSchema } from '../inbox/views/saved-view.ts'
import { fileOutcome } from '../knowledge/documents/file-routes.ts'
import { importPageSchema, importSchema } from '../knowledge/imports/schemas.ts'
import { documentSchema, documentWithText, foundPassages } from '../knowledge/routes.ts'
import { unansweredQuestion } from '../knowledge/unanswered/unanswered-routes.ts'
import { embeddingProgress } from '../knowledge/vectors/embedding-routes.ts'
import { proposal, proposalWithSimilar } from '../learning/proposal-routes.ts'
import { macroPreview, macroRunSchema, macroSchema } from '../macros/macro.ts'
import { pushSchema } from '../notices/pushes/push-routes.ts'
import { noticeList, unreadSchema } from '../notices/schemas.ts'
import { settingsSchema } from '../notices/settings.ts'
import {
  changedNotification,
  deliverySchema,
  notificationSchema,
  notificationWithSecret,
} from '../notifications/schemas.ts'
import { browserSchema } from '../operators/browsers.ts'
import { colleagueSchema } from '../operators/colleague-routes.ts'
import {
  availabilitySchema,
  invitedSchema,
  operatorSchema,
  preparedFactor,
  recoveryCodes,
  sessionSchema,
  waysIn,
  whoSchema,
} from '../operators/schemas.ts'
import { linkSchema } from '../operators/sign-in-routes.ts'
import { pauseForecast, pauseResult } from '../pause/schemas.ts'
import { userErasure } from '../privacy/receipt-routes.ts'
import { triedMask, triedRedaction } from '../privacy/routes.ts'
import { redactionResult } from '../privacy/schemas.ts'
import { profileSchema } from '../profiles/schemas.ts'
import { filledSchema, replySchema } from '../replies/routes.ts'
import { ruleLogEntry } from '../rules/log-routes.ts'
import { automationPreview } from '../rules/preview-automation.ts'
import { ruleAnswers } from '../rules/schemas.ts'
import { caseResults, caseSchema, datasetSchema, runSchema, runWithResults } from '../runs/schemas.ts'
import { searchAnswer } from '../search/schemas.ts'
import { toolSchema } from '../tools/present-tool.ts'
import { triedTool } from '../tools/schemas.ts'
import { attachmentSchema } from '../transcripts/attachments.ts'
import { completionList, completionSchema, traceSchema } from '../transcripts/completions/schemas.ts'
import { conversationSchema, messageSchema } from '../transcripts/conversations/schemas.ts'
import { triedAnswer } from '../turns/try/playground-routes.ts'
import { usageSchema } from '../usage/routes.ts'
import { userSchema } from '../users/schemas.ts'
import { widgetSchema, widgetWithSecret } from '../widgets/schemas.ts'
import { retriedWork, workCounts } from './background-routes.ts'
import { problem } from './problem-routes.ts'

/** An answer whose fields are optional in its schema, though the service leaves none out of the answer to this call. */
const conversation = single(conversationSchema.required())
const inbox = inboxAnswer.extend({ data: z.array(inboxItemSchema.required()) })
const list = z.array
/** An answer that the console does not read. */
const unread = z.unknown()

/**
 * The answers to the console's calls about a team and the person who is signed in. Only types of this file reach a
 * browser; a test compares it with the routes. `{number}` and `{text}` stand for what a call puts in its path.
 */
export const teamAnswers = {
  'GET /session': single(whoSchema),
  'POST /session': single(whoSchema),
  'GET /sign-in': single(waysIn),
  'POST /join': single(whoSchema),
  'POST /join/link': single(linkSchema),
  'GET /sessions': single(list(sessionSchema)),
  'PATCH /profile': single(operatorSchema),
  'PUT /password': unread,
  'POST /two-factor': single(preparedFactor),
  'PUT /two-factor': single(recoveryCodes),
  'GET /team': single(teamSchema),
  'PATCH /team': single(teamSchema),
  'GET /agents': single(list(listedAgent)),
  'POST /agents': single(agentSchema),
  'GET /agents/{number}/keys': single(list(keySchema)),
  'POST /agents/{number}/keys': single(newKeySchema),
  'GET /tokens': single(list(tokenSchema)),
  'POST /tokens': single(newTokenSchema),
  'GET /operators': single(list(operatorSchema)),
  'POST /operators': single(invitedSchema),
  'PATCH /operators/{number}': single(operatorSchema),
  'POST /operators/{number}/reset': single(invitedSchema),
  'GET /audit': listOf(actSchema),
  'GET /availability': single(availabilitySchema),
  'PUT /availability': single(availabilitySchema),
  'GET /notices': noticeList,
  'GET /notices/settings': single(settingsSchema),
  'PUT /notices/settings': single(settingsSchema),
  'GET /notices/push': single(pushSchema),
  'POST /notices/push': single(browserSchema),
  'PUT /notices/read': single(unreadSchema),
  'PUT /notices/{number}/read': single(unreadSchema),
  'GET /groups': single(list(groupSchema)),
  'POST /groups': single(groupSchema),
  'PATCH /groups/{number}': single(groupSchema),
}

/** The answers to the console's calls about an agent, as those of a team. */
export const agentAnswers = {
  'GET /agent': single(agentSchema),
  'PATCH /agent': single(agentSchema),
  'POST /agent/test-model': single(modelTest),
  'GET /agent/versions': listOf(versionSchema),
  'POST /agent/versions/{number}/restore': single(agentSchema),
  'GET /analytics': single(analytics),
  'GET /analytics/support': single(supportAnalytics),
  'GET /usage': z.object({ data: list(usageSchema) }),
  'GET /problems': z.object({ data: list(problem) }),
  'GET /work': z.object({ data: list(workCounts) }),
  'POST /work/{text}/retry': single(retriedWork),
  'GET /pause': single(pauseForecast),
  'POST /pause': single(pauseResult),
  'POST /resume': single(pauseResult),
  'GET /colleagues': single(list(colleagueSchema)),

  'GET /inbox': inbox,
  'GET /inbox/{text}': single(inboxEntrySchema.required()),
  'POST /inbox/bulk': single(bulkActSchema),
  'POST /inbox/bulk/{number}/undo': single(bulkActSchema),
  'GET /inbox/bulk/count': single(matchingSchema),
  'GET /inbox/bulk/{number}': single(bulkActSchema),
  'GET /targets': single(list(targetSchema)),
  'POST /targets': single(targetSchema),
  'PATCH /targets/{number}': single(targetSchema),
  'GET /views': z.object({ data: list(viewSchema) }),
  'POST /views': single(viewSchema),
  'PATCH /views/{number}': single(viewSchema),
  'GET /conversations': pageOf(conversationSchema.required()),
  'POST /conversations': conversation,
  'GET /conversations/{text}': conversation,
  'PATCH /conversations/{text}': conversation,
  'PUT /conversations/{text}/assignee': unread,
  'PUT /conversations/{text}/priority': unread,
  'PUT /conversations/{text}/outcome': unread,
  'PUT /conversations/{text}/snooze': unread,
  'PUT /conversations/{text}/read': unread,
  'POST /conversations/{text}/pause': conversation,
  'POST /conversations/{text}/resume': conversation,
  'POST /conversations/{text}/end': conversation,
  'POST /conversations/{text}/reopen': conversation,
  'POST /conversations/{text}/presence': unread,
  'POST /conversations/{text}/typing': unread,
  'POST /conversations/{text}/live/replay': unread,
  'POST /conversations/{text}/notes': unread,
  'GET /conversations/{text}/replies': listOf(filledSchema),
  'GET /conversations/{text}/earlier': listOf(conversationSchema.required()),
  'GET /conversations/{text}/messages': listOf(messageSchema),
  'POST /conversations/{text}/messages': single(messageSchema),
  'POST /conversations/{text}/attachments': single(attachmentSchema),
  'POST /channels/{number}/attachments': single(attachmentSchema),
  'POST /conversations/{text}/attachments/{text}/fetch': single(attachmentSchema),
  'POST /conversations/{text}/messages/{number}/resend': single(messageSchema),
  'GET /conversations/{text}/timeline': timelineAnswer,
  'GET /conversations/{text}/draft': single(draftSchema),
  'PUT /conversations/{text}/draft': single(draftSchema),
  'GET /conversations/{text}/summary': single(handoffSummarySchema),
  'POST /conversations/{text}/summarize': single(handoffSummarySchema),
  'POST /conversations/{text}/translate': single(translatedSchema),
  'GET /macros': z.object({ data: list(macroSchema) }),
  'POST /macros': single(macroSchema),
  'PATCH /macros/{number}': single(macroSchema),
  'GET /conversations/{text}/macros/{number}': single(macroPreview),
  'GET /conversations/{text}/automations/{number}': single(automationPreview),
  'POST /conversations/{text}/macros/{number}': single(macroRunSchema),
  'POST /conversations/{text}/macro-runs/{number}/undo': unread,
  'GET /replies': listOf(replySchema),
  'POST /replies': single(replySchema),
  'PATCH /replies/{number}': single(replySchema),
  'GET /chat/completions': completionList,
  'GET /chat/completions/{text}': single(completionSchema),
  'GET /chat/completions/{text}/trace': single(traceSchema),
  'POST /chat/completions/{text}/anonymize': single(redactionResult),
  'POST /chat/completions/{text}/scrub': single(redactionResult),
  'POST /playground': single(triedAnswer),
  'GET /search': searchAnswer,

  'GET /users': listOf(userSchema),
  'GET /users/{text}': single(profileSchema),
  'PATCH /users/{text}': single(profileSchema),
  'PUT /users/{text}/blocked': single(profileSchema),
  'POST /users/{text}/merge': single(profileSchema),
  'DELETE /users/{text}/merge': single(profileSchema),
  'GET /users/{text}/erasures': listOf(userErasure),
  'POST /users/{text}/anonymize': single(redactionResult),
  'POST /users/{text}/scrub': single(redactionResult),
  'POST /mask/try': single(triedMask),
  'POST /redaction/try': single(triedRedaction),

  'GET /knowledge': listOf(documentSchema),
  'POST /knowledge': single(documentSchema),
  'GET /knowledge/{number}': single(documentWithText),
  'PATCH /knowledge/{number}': single(documentWithText),
  'POST /knowledge/files': single(list(fileOutcome)),
  'GET /knowledge/search': foundPassages,
  'GET /knowledge/embedding': single(embeddingProgress),
  'GET /knowledge/unanswered': listOf(unansweredQuestion),
  'GET /knowledge/imports': listOf(importSchema),
  'POST /knowledge/imports': single(importSchema),
  'GET /knowledge/imports/{number}': single(importSchema),
  'PATCH /knowledge/imports/{number}': single(importSchema),
  'GET /knowledge/imports/{number}/pages': listOf(importPageSchema),
  'POST /knowledge/imports/{number}/crawl': single(importSchema),
  'GET /knowledge/proposals': listOf(proposal),
  'POST /knowledge/proposals': single(proposal),
  'GET /knowledge/proposals/{number}': single(proposalWithSimilar),
  'PATCH /knowledge/proposals/{number}': single(proposal),
  'POST /knowledge/proposals/{number}/accept': unread,

  'GET /channels': listOf(channelSchema),
  'POST /channels': single(channelSchema),
  'GET /channels/{number}': single(channelSchema),
  'PATCH /channels/{number}': single(channelSchema),
  'GET /channels/{number}/templates': single(list(templateSchema)),
  'GET /channels/{number}/parked': listOf(parkedItem),
  'POST /channels/{number}/parked/{number}/replay': single(parkedItem),
  'POST /channels/{number}/test': single(channelCheck),
  'POST /channels/{number}/test-message': single(sentTestMessage),
  'GET /widgets': listOf(widgetSchema),
  'POST /widgets': single(widgetWithSecret),
  'GET /widgets/{number}': single(widgetSchema),
  'PATCH /widgets/{number}': single(widgetSchema),
  'POST /widgets/{number}/rotate-secret': single(widgetWithSecret),
  'GET /notifications': listOf(notificationSchema),
  'POST /notifications': single(notificationWithSecret),
  'GET /notifications/{number}': single(notificationSchema),
  'PATCH /notifications/{number}': single(changedNotification),
  'POST /notifications/{number}/rotate-secret': single(notificationWithSecret),
  'POST /notifications/{number}/test': single(deliverySchema),
  'GET /notifications/{number}/deliveries': listOf(deliverySchema),
  'POST /notifications/{number}/deliveries/{number}/replay': single(deliverySchema),

  'GET /guardrails': listOf(ruleAnswers.guardrail),
  'POST /guardrails': single(ruleAnswers.guardrail),
  'GET /guardrails/{number}': single(ruleAnswers.guardrail),
  'PATCH /guardrails/{number}': single(ruleAnswers.guardrail),
  'GET /ctas': listOf(ruleAnswers.cta),
  'POST /ctas': single(ruleAnswers.cta),
  'GET /ctas/{number}': single(ruleAnswers.cta),
  'PATCH /ctas/{number}': single(ruleAnswers.cta),
  'GET /automations': listOf(ruleAnswers.automation),
  'POST /automations': single(ruleAnswers.automation),
  'GET /automations/{number}': single(ruleAnswers.automation),
  'PATCH /automations/{number}': single(ruleAnswers.automation),
  'GET /rules/{text}/{number}/log': listOf(ruleLogEntry),
  'GET /evaluators': listOf(evaluatorSchema),
  'POST /evaluators': single(evaluatorSchema),
  'GET /evaluators/{number}': single(evaluatorSchema),
  'PATCH /evaluators/{number}': single(evaluatorSchema),
  'POST /evaluators/{number}/try': single(evaluationSchema),
  'GET /tools': listOf(toolSchema),
  'POST /tools': single(toolSchema),
  'PATCH /tools/{number}': single(toolSchema),
  'POST /tools/{number}/try': single(triedTool),

  'GET /datasets': listOf(datasetSchema),
  'POST /datasets': single(datasetSchema),
  'GET /datasets/{number}': single(datasetSchema),
  'GET /datasets/{number}/cases': listOf(caseSchema),
  'POST /datasets/{number}/cases': single(caseSchema),
  'GET /datasets/{number}/cases/{number}': single(caseSchema),
  'PATCH /datasets/{number}/cases/{number}': single(caseSchema),
  'GET /runs': listOf(runSchema),
  'POST /runs': single(runSchema),
  'GET /runs/{number}': single(runWithResults),
  'GET /runs/{number}/cases/{number}': single(caseResults),
}
