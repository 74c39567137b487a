import type { Change, Migration } from './migration.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as channels from './migrations/0002-channels.ts'
import * as notifications from './migrations/0003-notifications.ts'
import * as rules from './migrations/0004-rules.ts'
import * as analytics from './migrations/0005-analytics.ts'
import * as wholeTraces from './migrations/0006-whole-traces.ts'
import * as unpromptedMessages from './migrations/0007-unprompted-messages.ts'
import * as countedRedactions from './migrations/0008-counted-redactions.ts'
import * as retiredIds from './migrations/0009-retired-ids.ts'
import * as allTexts from './migrations/0010-all-texts.ts'
import * as listed from './migrations/0011-listed.ts'
import * as forgotten from './migrations/0012-forgotten.ts'
import * as processes from './migrations/0013-processes.ts'
import * as messageDelivery from './migrations/0014-message-delivery.ts'
import * as chatIds from './migrations/0015-chat-ids.ts'
import * as failedEvaluations from './migrations/0016-failed-evaluations.ts'
import * as knowledgeSources from './migrations/0017-knowledge-sources.ts'
import * as rights from './migrations/0020-rights.ts'
import * as operators from './migrations/0021-operators.ts'
import * as audit from './migrations/0022-audit.ts'
import * as auditByTime from './migrations/0023a-audit-by-time.ts'
import * as deletedAgents from './migrations/0023b-deleted-agents.ts'
import * as leases from './migrations/0024-leases.ts'
import * as inbox from './migrations/0026-inbox.ts'
import * as bulkActs from './migrations/0026a-bulk-acts.ts'
import * as happenings from './migrations/0027-happenings.ts'
import * as draftsAndReplies from './migrations/0027a-drafts-and-replies.ts'
import * as ruleLog from './migrations/0027b-rule-log.ts'
import * as changes from './migrations/0028-changes.ts'
import * as search from './migrations/0029-search.ts'
import * as users from './migrations/0029a-users.ts'
import * as operatorMails from './migrations/0030-operator-mails.ts'
import * as knowledgeTexts from './migrations/0031-knowledge-texts.ts'
import * as unansweredQuestions from './migrations/0031a-unanswered-questions.ts'
import * as quarterCounters from './migrations/0031b-quarter-counters.ts'
import * as widgets from './migrations/0032-widgets.ts'
import * as knowledgeFailures from './migrations/0034-knowledge-failures.ts'
import * as knowledgeImports from './migrations/0034a-knowledge-imports.ts'
import * as knowledgeVectors from './migrations/0035-knowledge-vectors.ts'
import * as tools from './migrations/0036-tools.ts'
import * as modelUsage from './migrations/0037-model-usage.ts'
import * as agentVersions from './migrations/0038-agent-versions.ts'
import * as datasets from './migrations/0039-datasets.ts'
import * as conversationSummaries from './migrations/0041-conversation-summaries.ts'
import * as answerCalibration from './migrations/0042-answer-calibration.ts'
import * as importTurns from './migrations/0043-import-turns.ts'
import * as plainLetters from './migrations/0044-plain-letters.ts'
import * as endUserIdentity from './migrations/0046-end-user-identity.ts'
import * as forgottenSearches from './migrations/0048-forgotten-searches.ts'
import * as logEpochs from './migrations/0049-log-epochs.ts'
import * as bulkStarts from './migrations/0051-bulk-starts.ts'
import * as listActivity from './migrations/0054-list-activity.ts'
import * as requiredTwoFactor from './migrations/0055-required-two-factor.ts'
import * as encodedData from './migrations/0056-encoded-data.ts'
import * as repeatedAnswers from './migrations/0057-repeated-answers.ts'
import * as usageShards from './migrations/0058-usage-shards.ts'
import * as bulkSkipped from './migrations/0059-bulk-skipped.ts'
import * as waitingNotes from './migrations/0060-waiting-notes.ts'
import * as inboxOrders from './migrations/0060a-inbox-orders.ts'
import * as work from './migrations/0061-work.ts'
import * as teamsAgents from './migrations/0062-teams-agents.ts'
import * as auditGuards from './migrations/0065-audit-guards.ts'
import * as unansweredReasons from './migrations/0066-unanswered-reasons.ts'
import * as knowledgeProposals from './migrations/0067-knowledge-proposals.ts'
import * as documentNotes from './migrations/0068-document-notes.ts'
import * as measuredRuns from './migrations/0070-measured-runs.ts'
import * as conversationKeys from './migrations/0071-conversation-keys.ts'
import * as erasures from './migrations/0073-erasures.ts'
import * as processVersions from './migrations/0075-process-versions.ts'
import * as channelConnections from './migrations/0077-channel-connections.ts'
import * as files from './migrations/0079-files.ts'
import * as fileFetches from './migrations/0080-file-fetches.ts'
import * as mail from './migrations/0082-mail.ts'
import * as filePlaces from './migrations/0084-file-places.ts'
import * as visitorUploads from './migrations/0085-visitor-uploads.ts'
import * as formOfFiles from './migrations/0086-form-of-files.ts'
import * as messageTemplates from './migrations/0088-message-templates.ts'
import * as fileDigests from './migrations/0090-file-digests.ts'
import * as quotedTexts from './migrations/0091-quoted-texts.ts'
import * as continuations from './migrations/0092-continuations.ts'
import * as mailedMessages from './migrations/0094-mailed-messages.ts'
import * as groups from './migrations/0095-groups.ts'
import * as priority from './migrations/0097-priority.ts'
import * as snooze from './migrations/0098-snooze.ts'
import * as copilot from './migrations/0099-copilot.ts'
import * as assignment from './migrations/0100-assignment.ts'
import * as awayMessages from './migrations/0101-away-messages.ts'
import * as savedViews from './migrations/0102-saved-views.ts'
import * as scopes from './migrations/0103-scopes.ts'
import * as groupHours from './migrations/0104-group-hours.ts'
import * as targets from './migrations/0105-targets.ts'
import * as notices from './migrations/0106-notices.ts'
import * as noticeMails from './migrations/0107-notice-mails.ts'
import * as outcomes from './migrations/0108-outcomes.ts'
import * as silences from './migrations/0109-silences.ts'
import * as macros from './migrations/0111-macros.ts'
import * as warnings from './migrations/0112-warnings.ts'
import * as deskAutomations from './migrations/0113-desk-automations.ts'
import * as blockedUsers from './migrations/0115-blocked-users.ts'
import * as mergedUsers from './migrations/0116-merged-users.ts'
import * as pushes from './migrations/0117-pushes.ts'
import * as supportFigures from './migrations/0119-support-figures.ts'
import * as recounts from './migrations/0120-recounts.ts'
import * as ratingRequests from './migrations/0122-rating-requests.ts'
import * as macroMakers from './migrations/0125-macro-makers.ts'
import * as waitsInScope from './migrations/0126-waits-in-scope.ts'
import * as viewMakers from './migrations/0139-view-makers.ts'
import * as undoneBulkActs from './migrations/0140-undone-bulk-acts.ts'
import * as waits from './migrations/0141-waits.ts'
import * as eventIds from './migrations/0142-event-ids.ts'
import * as keptIds from './migrations/0143-kept-ids.ts'
import * as keysInRuns from './migrations/0144-keys-in-runs.ts'
import * as changesOfAgents from './migrations/0145-changes-of-agents.ts'
import * as credentialLists from './migrations/0146-credential-lists.ts'
import * as chatOfConversation from './migrations/0147-chat-of-conversation.ts'

/** Migrations in the order in which they run. The result of a released migration is never changed. */
export const migrations: readonly Migration[] = [
  migration('0001-foundation', foundation),
  migration('0002-channels', channels),
  migration('0003-notifications', notifications),
  migration('0004-rules', rules),
  migration('0005-analytics', analytics),
  migration('0006-whole-traces', wholeTraces),
  migration('0007-unprompted-messages', unpromptedMessages),
  migration('0008-counted-redactions', countedRedactions),
  migration('0009-retired-ids', retiredIds),
  migration('0010-all-texts', allTexts),
  migration('0011-listed', listed),
  migration('0012-forgotten', forgotten),
  migration('0013-processes', processes),
  migration('0014-message-delivery', messageDelivery),
  migration('0015-chat-ids', chatIds),
  migration('0016-failed-evaluations', failedEvaluations),
  migration('0017-knowledge-sources', knowledgeSources),
  migration('0020-rights', rights),
  migration('0021-operators', operators),
  migration('0022-audit', audit),
  migration('0023a-audit-by-time', auditByTime),
  migration('0023b-deleted-agents', deletedAgents),
  migration('0024-leases', leases),
  migration('0026-inbox', inbox),
  migration('0026a-bulk-acts', bulkActs),
  migration('0027-happenings', happenings),
  migration('0027a-drafts-and-replies', draftsAndReplies),
  migration('0027b-rule-log', ruleLog),
  migration('0028-changes', changes),
  migration('0029-search', search),
  migration('0029a-users', users),
  migration('0030-operator-mails', operatorMails),
  migration('0031-knowledge-texts', knowledgeTexts),
  migration('0031a-unanswered-questions', unansweredQuestions),
  migration('0031b-quarter-counters', quarterCounters),
  migration('0032-widgets', widgets),
  migration('0034-knowledge-failures', knowledgeFailures),
  migration('0034a-knowledge-imports', knowledgeImports),
  migration('0035-knowledge-vectors', knowledgeVectors),
  migration('0036-tools', tools),
  migration('0037-model-usage', modelUsage),
  migration('0038-agent-versions', agentVersions),
  migration('0039-datasets', datasets),
  migration('0041-conversation-summaries', conversationSummaries),
  migration('0042-answer-calibration', answerCalibration),
  migration('0043-import-turns', importTurns),
  migration('0044-plain-letters', plainLetters),
  migration('0046-end-user-identity', endUserIdentity),
  migration('0048-forgotten-searches', forgottenSearches),
  migration('0049-log-epochs', logEpochs),
  migration('0051-bulk-starts', bulkStarts),
  migration('0054-list-activity', listActivity),
  migration('0055-required-two-factor', requiredTwoFactor),
  migration('0056-encoded-data', encodedData),
  migration('0057-repeated-answers', repeatedAnswers),
  migration('0058-usage-shards', usageShards),
  migration('0059-bulk-skipped', bulkSkipped),
  migration('0060-waiting-notes', waitingNotes),
  migration('0060a-inbox-orders', inboxOrders),
  migration('0061-work', work),
  migration('0062-teams-agents', teamsAgents),
  migration('0065-audit-guards', auditGuards),
  migration('0066-unanswered-reasons', unansweredReasons),
  migration('0067-knowledge-proposals', knowledgeProposals),
  migration('0068-document-notes', documentNotes),
  migration('0070-measured-runs', measuredRuns),
  migration('0071-conversation-keys', conversationKeys),
  migration('0073-erasures', erasures),
  migration('0075-process-versions', processVersions),
  migration('0077-channel-connections', channelConnections),
  migration('0079-files', files),
  migration('0080-file-fetches', fileFetches),
  migration('0082-mail', mail),
  migration('0084-file-places', filePlaces),
  migration('0085-visitor-uploads', visitorUploads),
  migration('0086-form-of-files', formOfFiles),
  migration('0088-message-templates', messageTemplates),
  migration('0090-file-digests', fileDigests),
  migration('0091-quoted-texts', quotedTexts),
  migration('0092-continuations', continuations),
  migration('0094-mailed-messages', mailedMessages),
  migration('0095-groups', groups),
  migration('0097-priority', priority),
  migration('0098-snooze', snooze),
  migration('0099-copilot', copilot),
  migration('0100-assignment', assignment),
  migration('0101-away-messages', awayMessages),
  migration('0102-saved-views', savedViews),
  migration('0103-scopes', scopes),
  migration('0104-group-hours', groupHours),
  migration('0105-targets', targets),
  migration('0106-notices', notices),
  migration('0107-notice-mails', noticeMails),
  migration('0108-outcomes', outcomes),
  migration('0109-silences', silences),
  migration('0111-macros', macros),
  migration('0112-warnings', warnings),
  migration('0113-desk-automations', deskAutomations),
  migration('0115-blocked-users', blockedUsers),
  migration('0116-merged-users', mergedUsers),
  migration('0117-pushes', pushes),
  migration('0119-support-figures', supportFigures),
  migration('0120-recounts', recounts),
  migration('0122-rating-requests', ratingRequests),
  migration('0125-macro-makers', macroMakers),
  migration('0126-waits-in-scope', waitsInScope),
  migration('0139-view-makers', viewMakers),
  migration('0140-undone-bulk-acts', undoneBulkActs),
  migration('0141-waits', waits),
  migration('0142-event-ids', eventIds),
  migration('0143-kept-ids', keptIds),
  migration('0144-keys-in-runs', keysInRuns),
  migration('0145-changes-of-agents', changesOfAgents),
  migration('0146-credential-lists', credentialLists),
  migration('0147-chat-of-conversation', chatOfConversation),
]

/** @param of its steps, or `up` when it has a single one */
function migration(name: string, of: Omit<Migration, 'name'> | { up: Change }): Migration {
  return 'up' in of ? { name, steps: [of.up] } : { name, ...of }
}
