import { z } from 'zod'
import { modelTest, triedModel } from '../agents/routes.ts'
import { agentChange, agentSchema } from '../agents/settings.ts'
import { listedAgent, newAgent, teamPatch, teamSchema } from '../agents/team-routes.ts'
import { versionSchema } from '../agents/versions/routes.ts'
import { analytics, analyticsQuery } from '../analytics/routes.ts'
import { supportAnalytics, supportQuery } from '../analytics/support/support-routes.ts'
import { actSchema, auditQuery } from '../audit/routes.ts'
import {
  channelCheck,
  channelPatch,
  channelSchema,
  newChannel,
  parkedItem,
  sentTestMessage,
  testMessage,
} from '../channels/schemas.ts'
import { templateSchema } from '../channels/templates.ts'
import { firstMessage } from '../channels/write-first-routes.ts'
import {
  handoffSummarySchema,
  suggestBody,
  summarizeBody,
  translateBody,
  translatedSchema,
} from '../copilot/routes.ts'
import {
  keySchema,
  newKey,
  newKeySchema,
  newToken,
  newTokenSchema,
  tokenSchema,
} from '../credentials/routes.ts'
import {
  assigneeBody,
  outcomeBody,
  priorityBody,
  readBody,
  snoozeBody,
  tagsBody,
} from '../desk/conversation-routes.ts'
import { draftBody, draftQuery, draftSchema } from '../desk/draft-routes.ts'
import { noteBody } from '../desk/notes/note-routes.ts'
import { operatorMessage } from '../desk/routes.ts'
import { newTarget, targetPatch, targetSchema } from '../desk/targets/target.ts'
import { timelineAnswer, timelineQuery } from '../desk/timeline-routes.ts'
import {
  evaluationSchema,
  evaluatorPatch,
  evaluatorSchema,
  evaluatorTry,
  newEvaluator,
} from '../evaluators/schemas.ts'
import { groupPatch, groupSchema, newGroup } from '../groups/routes.ts'
import { daysQuery } from '../http/days.ts'
import { listOf, listQuery, pageOf } from '../http/paging.ts'
import { optionalBody, single } from '../http/schemas.ts'
import { importQuery } from '../imports/routes.ts'
import { bulkActSchema } from '../inbox/bulk/bulk-action.ts'
import { matchingQuery, newBulkAct } from '../inbox/routes.ts'
import {
  inboxAnswer,
  inboxEntrySchema,
  inboxItemSchema,
  inboxQuery,
  matchingSchema,
} from '../inbox/schemas.ts'
import { newView, viewPatch, viewSchema } from '../inbox/views/saved-view.ts'
import { fileOutcome } from '../knowledge/documents/file-routes.ts'
import { pagesQuery } from '../knowledge/imports/routes.ts'
import { importPageSchema, importPatch, importSchema, newImport } from '../knowledge/imports/schemas.ts'
import {
  documentPatch,
  documentSchema,
  documentWithText,
  foundPassages,
  newDocument,
  passagesQuery,
} from '../knowledge/routes.ts'
import { unansweredQuery, unansweredQuestion } from '../knowledge/unanswered/unanswered-routes.ts'
import { embeddingProgress } from '../knowledge/vectors/embedding-routes.ts'
import {
  acceptBody,
  newProposal,
  proposal,
  proposalPatch,
  proposalWithSimilar,
} from '../learning/proposal-routes.ts'
import { liveQuery, presenceBody, typingBody } from '../live/routes.ts'
import { macroPreview, macroRunSchema, macroSchema, newMacro } from '../macros/macro.ts'
import { macroPatch } from '../macros/routes.ts'
import { pushSchema } from '../notices/pushes/push-routes.ts'
import { noticeList, noticeQuery, unreadSchema } from '../notices/schemas.ts'
import { settingsBody, settingsSchema } from '../notices/settings.ts'
import {
  changedNotification,
  deliverySchema,
  newNotification,
  notificationPatch,
  notificationSchema,
  notificationWithSecret,
} from '../notifications/schemas.ts'
import { browserSchema, newBrowser } from '../operators/browsers.ts'
import { colleagueSchema, colleaguesQuery } from '../operators/colleague-routes.ts'
import {
  availabilityBody,
  availabilitySchema,
  codeBody,
  invitation,
  invitedSchema,
  joinBody,
  linkBody,
  operatorPatch,
  operatorSchema,
  profilePatch as ownProfile,
  passwordBody,
  preparedFactor,
  presentPassword,
  recoveryCodes,
  sessionSchema,
  signInBody,
  waysIn,
  whoSchema,
} from '../operators/schemas.ts'
import { linkSchema } from '../operators/sign-in-routes.ts'
import { pauseForecast, pauseResult } from '../pause/schemas.ts'
import { userErasure } from '../privacy/receipt-routes.ts'
import { maskTry, redactionTry, triedMask, triedRedaction } from '../privacy/routes.ts'
import { redactionResult } from '../privacy/schemas.ts'
import { blockedBody, mergeBody, profilePatch, profileSchema, usersQuery } from '../profiles/schemas.ts'
import { filledSchema, newReply, repliesQuery, replyPatch, replySchema } from '../replies/routes.ts'
import { ruleLogEntry } from '../rules/log-routes.ts'
import { automationPreview } from '../rules/preview-automation.ts'
import { ruleAnswers, rulePatch, ruleSchemas } from '../rules/schemas.ts'
import { runQuery, runsQuery } from '../runs/run-routes.ts'
import {
  casePatch,
  caseResults,
  caseSchema,
  datasetSchema,
  newCase,
  newDataset,
  newRun,
  runSchema,
  runWithResults,
} from '../runs/schemas.ts'
import { searchAnswer, searchQuery } from '../search/schemas.ts'
import { toolSchema } from '../tools/present-tool.ts'
import { newTool, toolPatch, toolTry, triedTool } from '../tools/schemas.ts'
import { attachmentSchema } from '../transcripts/attachments.ts'
import {
  completionList,
  completionSchema,
  completionsQuery,
  traceSchema,
} from '../transcripts/completions/schemas.ts'
import { conversationsQuery } from '../transcripts/conversations/routes.ts'
import { conversationSchema, messageSchema, messagesQuery } from '../transcripts/conversations/schemas.ts'
import { chatRequest } from '../turns/chat/request.ts'
import { triedAnswer, triedPrompt } from '../turns/try/playground-routes.ts'
import { usageSchema } from '../usage/routes.ts'
import { userSchema } from '../users/schemas.ts'
import { newWidget, widgetPatch, widgetSchema, widgetWithSecret } from '../widgets/schemas.ts'
import { problem } from './problem-routes.ts'
import { retriedWork, workCounts } from './work-routes.ts'

/** An answer whose fields are optional in its schema, though the service leaves none out of the answer to this call. */
const conversation = single(conversationSchema.required())
const inbox = inboxAnswer.extend({ data: z.array(inboxItemSchema.required()) })
const list = z.array
/** Files that a browser sends. */
const form = z.instanceof(FormData)
/** A body that may be left out. */
const nothing = optionalBody(z.strictObject({}))

/**
 * The answers to the console's calls about a team and the person who is signed in. Only types of this file reach a
 * browser; a test compares it with the routes. `{number}` and `{text}` stand for what a call puts in its path.
 */
export const teamCalls = {
  'GET /session': { answer: single(whoSchema) },
  'POST /session': { body: signInBody, answer: single(whoSchema) },
  'DELETE /session': {},
  'GET /sign-in': { answer: single(waysIn) },
  'POST /join': { body: joinBody, answer: single(whoSchema) },
  'POST /join/link': { body: linkBody, answer: single(linkSchema) },
  'GET /sessions': { answer: single(list(sessionSchema)) },
  'DELETE /sessions/{number}': {},
  'PATCH /profile': { body: ownProfile, answer: single(operatorSchema) },
  'PUT /password': { body: passwordBody },
  'POST /two-factor': { body: presentPassword, answer: single(preparedFactor) },
  'PUT /two-factor': { body: codeBody, answer: single(recoveryCodes) },
  'DELETE /two-factor': { body: presentPassword },
  'GET /team': { answer: single(teamSchema) },
  'PATCH /team': { body: teamPatch, answer: single(teamSchema) },
  'GET /agents': { query: listQuery, answer: listOf(listedAgent) },
  'POST /agents': { body: newAgent, answer: single(agentSchema) },
  'DELETE /agents/{number}': {},
  'GET /agents/{number}/keys': { query: listQuery, answer: listOf(keySchema) },
  'POST /agents/{number}/keys': { body: newKey, answer: single(newKeySchema) },
  'DELETE /agents/{number}/keys/{number}': {},
  'GET /tokens': { query: listQuery, answer: listOf(tokenSchema) },
  'POST /tokens': { body: newToken, answer: single(newTokenSchema) },
  'DELETE /tokens/{number}': {},
  'GET /operators': { query: listQuery, answer: listOf(operatorSchema) },
  'POST /operators': { body: invitation, answer: single(invitedSchema) },
  'PATCH /operators/{number}': { body: operatorPatch, answer: single(operatorSchema) },
  'DELETE /operators/{number}': {},
  'POST /operators/{number}/reset': { answer: single(invitedSchema) },
  'GET /audit': { query: auditQuery, answer: listOf(actSchema) },
  'GET /availability': { answer: single(availabilitySchema) },
  'PUT /availability': { body: availabilityBody, answer: single(availabilitySchema) },
  'GET /notices': { query: noticeQuery, answer: noticeList },
  'GET /notices/settings': { answer: single(settingsSchema) },
  'PUT /notices/settings': { body: settingsBody, answer: single(settingsSchema) },
  'GET /notices/push': { answer: single(pushSchema) },
  'POST /notices/push': { body: newBrowser, answer: single(browserSchema) },
  'DELETE /notices/push/{number}': {},
  'PUT /notices/read': { body: nothing, answer: single(unreadSchema) },
  'PUT /notices/{number}/read': { body: nothing, answer: single(unreadSchema) },
  'GET /groups': { answer: single(list(groupSchema)) },
  'POST /groups': { body: newGroup, answer: single(groupSchema) },
  'PATCH /groups/{number}': { body: groupPatch, answer: single(groupSchema) },
  'DELETE /groups/{number}': {},
}

/** The answers to the console's calls about an agent, as those of a team. */
export const agentCalls = {
  'GET /agent': { answer: single(agentSchema) },
  'PATCH /agent': { body: agentChange, answer: single(agentSchema) },
  'POST /agent/test-model': { body: optionalBody(triedModel), answer: single(modelTest) },
  'GET /agent/versions': { query: listQuery, answer: listOf(versionSchema) },
  'POST /agent/versions/{number}/restore': { answer: single(agentSchema) },
  'GET /analytics': { query: analyticsQuery, answer: single(analytics) },
  'GET /analytics/support': { query: supportQuery, answer: single(supportAnalytics) },
  'GET /usage': { query: daysQuery, answer: z.object({ data: list(usageSchema) }) },
  'GET /problems': { answer: z.object({ data: list(problem) }) },
  'GET /work': { answer: z.object({ data: list(workCounts) }) },
  'POST /work/{text}/retry': { answer: single(retriedWork) },
  'GET /pause': { answer: single(pauseForecast) },
  'POST /pause': { answer: single(pauseResult) },
  'POST /resume': { answer: single(pauseResult) },
  'GET /live': { query: liveQuery },
  'GET /colleagues': { query: colleaguesQuery, answer: single(list(colleagueSchema)) },

  'GET /inbox': { query: inboxQuery, answer: inbox },
  'GET /inbox/{text}': { answer: single(inboxEntrySchema.required()) },
  'POST /inbox/bulk': { body: newBulkAct, answer: single(bulkActSchema) },
  'POST /inbox/bulk/{number}/undo': { answer: single(bulkActSchema) },
  'GET /inbox/bulk/count': { query: matchingQuery, answer: single(matchingSchema) },
  'GET /inbox/bulk/{number}': { answer: single(bulkActSchema) },
  'DELETE /inbox/bulk/{number}': {},
  'GET /targets': { answer: single(list(targetSchema)) },
  'POST /targets': { body: newTarget, answer: single(targetSchema) },
  'PATCH /targets/{number}': { body: targetPatch, answer: single(targetSchema) },
  'DELETE /targets/{number}': {},
  'GET /views': { answer: z.object({ data: list(viewSchema) }) },
  'POST /views': { body: newView, answer: single(viewSchema) },
  'PATCH /views/{number}': { body: viewPatch, answer: single(viewSchema) },
  'DELETE /views/{number}': {},
  'GET /conversations': { query: conversationsQuery, answer: pageOf(conversationSchema.required()) },
  'POST /conversations': { body: firstMessage, answer: conversation },
  'GET /conversations/{text}': { answer: conversation },
  'PATCH /conversations/{text}': { body: tagsBody, answer: conversation },
  'PUT /conversations/{text}/assignee': { body: assigneeBody },
  'PUT /conversations/{text}/priority': { body: priorityBody },
  'PUT /conversations/{text}/outcome': { body: outcomeBody },
  'PUT /conversations/{text}/snooze': { body: snoozeBody },
  'PUT /conversations/{text}/read': { body: readBody },
  'POST /conversations/{text}/pause': { answer: conversation },
  'POST /conversations/{text}/resume': { answer: conversation },
  'POST /conversations/{text}/end': { answer: conversation },
  'POST /conversations/{text}/reopen': { answer: conversation },
  'POST /conversations/{text}/presence': { body: optionalBody(presenceBody) },
  'POST /conversations/{text}/typing': { body: optionalBody(typingBody) },
  'POST /conversations/{text}/live/replay': {},
  'POST /conversations/{text}/notes': { body: noteBody },
  'GET /conversations/{text}/replies': { query: repliesQuery, answer: listOf(filledSchema) },
  'GET /conversations/{text}/earlier': { query: listQuery, answer: listOf(conversationSchema.required()) },
  'GET /conversations/{text}/messages': { query: messagesQuery, answer: listOf(messageSchema) },
  'POST /conversations/{text}/messages': { body: operatorMessage, answer: single(messageSchema) },
  'POST /conversations/{text}/attachments': { body: form, answer: single(attachmentSchema) },
  'POST /channels/{number}/attachments': { body: form, answer: single(attachmentSchema) },
  'POST /conversations/{text}/attachments/{text}/fetch': { answer: single(attachmentSchema) },
  'POST /conversations/{text}/messages/{number}/resend': { answer: single(messageSchema) },
  'GET /conversations/{text}/timeline': { query: timelineQuery, answer: timelineAnswer },
  'GET /conversations/{text}/draft': { query: draftQuery, answer: single(draftSchema) },
  'PUT /conversations/{text}/draft': { body: draftBody, answer: single(draftSchema) },
  'GET /conversations/{text}/summary': { answer: single(handoffSummarySchema) },
  'POST /conversations/{text}/summarize': { body: summarizeBody, answer: single(handoffSummarySchema) },
  'POST /conversations/{text}/suggest': { body: suggestBody },
  'POST /conversations/{text}/translate': { body: translateBody, answer: single(translatedSchema) },
  'GET /macros': { answer: z.object({ data: list(macroSchema) }) },
  'POST /macros': { body: newMacro, answer: single(macroSchema) },
  'PATCH /macros/{number}': { body: macroPatch, answer: single(macroSchema) },
  'DELETE /macros/{number}': {},
  'GET /conversations/{text}/macros/{number}': { answer: single(macroPreview) },
  'GET /conversations/{text}/automations/{number}': { answer: single(automationPreview) },
  'POST /conversations/{text}/macros/{number}': { answer: single(macroRunSchema) },
  'POST /conversations/{text}/macro-runs/{number}/undo': {},
  'GET /replies': { query: repliesQuery, answer: listOf(replySchema) },
  'POST /replies': { body: newReply, answer: single(replySchema) },
  'PATCH /replies/{number}': { body: replyPatch, answer: single(replySchema) },
  'DELETE /replies/{number}': {},
  'GET /chat/completions': { query: completionsQuery, answer: completionList },
  'POST /chat/completions': { body: chatRequest },
  'GET /chat/completions/{text}': { answer: single(completionSchema) },
  'GET /chat/completions/{text}/trace': { answer: single(traceSchema) },
  'POST /chat/completions/{text}/anonymize': { answer: single(redactionResult) },
  'POST /chat/completions/{text}/scrub': { answer: single(redactionResult) },
  'POST /playground': { body: triedPrompt, answer: single(triedAnswer) },
  'GET /search': { query: searchQuery, answer: searchAnswer },

  'GET /users': { query: usersQuery, answer: listOf(userSchema) },
  'POST /users/import': { query: importQuery, body: form },
  'GET /users/{text}': { answer: single(profileSchema) },
  'PATCH /users/{text}': { body: profilePatch, answer: single(profileSchema) },
  'PUT /users/{text}/blocked': { body: blockedBody, answer: single(profileSchema) },
  'POST /users/{text}/merge': { body: mergeBody, answer: single(profileSchema) },
  'DELETE /users/{text}/merge': { answer: single(profileSchema) },
  'GET /users/{text}/erasures': { query: listQuery, answer: listOf(userErasure) },
  'POST /users/{text}/anonymize': { answer: single(redactionResult) },
  'POST /users/{text}/scrub': { answer: single(redactionResult) },
  'POST /mask/try': { body: maskTry, answer: single(triedMask) },
  'POST /redaction/try': { body: redactionTry, answer: single(triedRedaction) },

  'GET /knowledge': { query: listQuery, answer: listOf(documentSchema) },
  'POST /knowledge': { body: newDocument, answer: single(documentSchema) },
  'GET /knowledge/{number}': { answer: single(documentWithText) },
  'PATCH /knowledge/{number}': { body: documentPatch, answer: single(documentWithText) },
  'DELETE /knowledge/{number}': {},
  'POST /knowledge/files': { body: form, answer: single(list(fileOutcome)) },
  'GET /knowledge/search': { query: passagesQuery, answer: foundPassages },
  'GET /knowledge/embedding': { answer: single(embeddingProgress) },
  'GET /knowledge/unanswered': { query: unansweredQuery, answer: listOf(unansweredQuestion) },
  'DELETE /knowledge/unanswered/{number}': {},
  'GET /knowledge/imports': { query: listQuery, answer: listOf(importSchema) },
  'POST /knowledge/imports': { body: newImport, answer: single(importSchema) },
  'GET /knowledge/imports/{number}': { answer: single(importSchema) },
  'PATCH /knowledge/imports/{number}': { body: importPatch, answer: single(importSchema) },
  'DELETE /knowledge/imports/{number}': {},
  'GET /knowledge/imports/{number}/pages': { query: pagesQuery, answer: listOf(importPageSchema) },
  'POST /knowledge/imports/{number}/crawl': { answer: single(importSchema) },
  'GET /knowledge/proposals': { query: listQuery, answer: listOf(proposal) },
  'POST /knowledge/proposals': { body: newProposal, answer: single(proposal) },
  'GET /knowledge/proposals/{number}': { answer: single(proposalWithSimilar) },
  'PATCH /knowledge/proposals/{number}': { body: proposalPatch, answer: single(proposal) },
  'DELETE /knowledge/proposals/{number}': {},
  'POST /knowledge/proposals/{number}/accept': { body: acceptBody },

  'GET /channels': { query: listQuery, answer: listOf(channelSchema) },
  'POST /channels': { body: newChannel, answer: single(channelSchema) },
  'GET /channels/{number}': { answer: single(channelSchema) },
  'PATCH /channels/{number}': { body: channelPatch, answer: single(channelSchema) },
  'DELETE /channels/{number}': {},
  'GET /channels/{number}/templates': { answer: single(list(templateSchema)) },
  'GET /channels/{number}/parked': { query: listQuery, answer: listOf(parkedItem) },
  'POST /channels/{number}/parked/{number}/replay': { answer: single(parkedItem) },
  'POST /channels/{number}/test': { answer: single(channelCheck) },
  'POST /channels/{number}/test-message': { body: testMessage, answer: single(sentTestMessage) },
  'GET /widgets': { query: listQuery, answer: listOf(widgetSchema) },
  'POST /widgets': { body: newWidget, answer: single(widgetWithSecret) },
  'GET /widgets/{number}': { answer: single(widgetSchema) },
  'PATCH /widgets/{number}': { body: widgetPatch, answer: single(widgetSchema) },
  'DELETE /widgets/{number}': {},
  'POST /widgets/{number}/rotate-secret': { answer: single(widgetWithSecret) },
  'GET /notifications': { query: listQuery, answer: listOf(notificationSchema) },
  'POST /notifications': { body: newNotification, answer: single(notificationWithSecret) },
  'GET /notifications/{number}': { answer: single(notificationSchema) },
  'PATCH /notifications/{number}': { body: notificationPatch, answer: single(changedNotification) },
  'DELETE /notifications/{number}': {},
  'POST /notifications/{number}/rotate-secret': { answer: single(notificationWithSecret) },
  'POST /notifications/{number}/test': { answer: single(deliverySchema) },
  'GET /notifications/{number}/deliveries': { query: listQuery, answer: listOf(deliverySchema) },
  'POST /notifications/{number}/deliveries/{number}/replay': { answer: single(deliverySchema) },

  'GET /guardrails': { query: listQuery, answer: listOf(ruleAnswers.guardrail) },
  'POST /guardrails': { body: ruleSchemas.guardrail, answer: single(ruleAnswers.guardrail) },
  'GET /guardrails/{number}': { answer: single(ruleAnswers.guardrail) },
  'PATCH /guardrails/{number}': { body: rulePatch, answer: single(ruleAnswers.guardrail) },
  'DELETE /guardrails/{number}': {},
  'GET /ctas': { query: listQuery, answer: listOf(ruleAnswers.cta) },
  'POST /ctas': { body: ruleSchemas.cta, answer: single(ruleAnswers.cta) },
  'GET /ctas/{number}': { answer: single(ruleAnswers.cta) },
  'PATCH /ctas/{number}': { body: rulePatch, answer: single(ruleAnswers.cta) },
  'DELETE /ctas/{number}': {},
  'GET /automations': { query: listQuery, answer: listOf(ruleAnswers.automation) },
  'POST /automations': { body: ruleSchemas.automation, answer: single(ruleAnswers.automation) },
  'GET /automations/{number}': { answer: single(ruleAnswers.automation) },
  'PATCH /automations/{number}': { body: rulePatch, answer: single(ruleAnswers.automation) },
  'DELETE /automations/{number}': {},
  'GET /rules/{text}/{number}/log': { query: listQuery, answer: listOf(ruleLogEntry) },
  'GET /evaluators': { query: listQuery, answer: listOf(evaluatorSchema) },
  'POST /evaluators': { body: newEvaluator, answer: single(evaluatorSchema) },
  'GET /evaluators/{number}': { answer: single(evaluatorSchema) },
  'PATCH /evaluators/{number}': { body: evaluatorPatch, answer: single(evaluatorSchema) },
  'DELETE /evaluators/{number}': {},
  'POST /evaluators/{number}/try': { body: evaluatorTry, answer: single(evaluationSchema) },
  'GET /tools': { query: listQuery, answer: listOf(toolSchema) },
  'POST /tools': { body: newTool, answer: single(toolSchema) },
  'PATCH /tools/{number}': { body: toolPatch, answer: single(toolSchema) },
  'DELETE /tools/{number}': {},
  'POST /tools/{number}/try': { body: optionalBody(toolTry), answer: single(triedTool) },

  'GET /datasets': { query: listQuery, answer: listOf(datasetSchema) },
  'POST /datasets': { body: newDataset, answer: single(datasetSchema) },
  'GET /datasets/{number}': { answer: single(datasetSchema) },
  'DELETE /datasets/{number}': {},
  'GET /datasets/{number}/cases': { query: listQuery, answer: listOf(caseSchema) },
  'POST /datasets/{number}/cases': { body: newCase, answer: single(caseSchema) },
  'GET /datasets/{number}/cases/{number}': { answer: single(caseSchema) },
  'PATCH /datasets/{number}/cases/{number}': { body: casePatch, answer: single(caseSchema) },
  'DELETE /datasets/{number}/cases/{number}': {},
  'GET /runs': { query: runsQuery, answer: listOf(runSchema) },
  'POST /runs': { body: newRun, answer: single(runSchema) },
  'GET /runs/{number}': { query: runQuery, answer: single(runWithResults) },
  'DELETE /runs/{number}': {},
  'GET /runs/{number}/cases/{number}': { answer: single(caseResults) },
}
