import { versionRows } from '../agents/agent-rows.ts'
import { supportRows } from '../analytics/support/agent-rows.ts'
import { connectionRows } from '../channels/agent-rows.ts'
import { credentialRows } from '../credentials/agent-rows.ts'
import { deskRows } from '../desk/agent-rows.ts'
import { evaluatorRows } from '../evaluators/agent-rows.ts'
import { eventRows } from '../events/agent-rows.ts'
import { fileRows } from '../files/agent-rows.ts'
import { repeatRows } from '../idempotency/agent-rows.ts'
import { inboxRows } from '../inbox/agent-rows.ts'
import { knowledgeRows } from '../knowledge/agent-rows.ts'
import { learningRows } from '../learning/agent-rows.ts'
import { macroRows } from '../macros/agent-rows.ts'
import { mailboxRows } from '../mailboxes/agent-rows.ts'
import { noticeRows } from '../notices/agent-rows.ts'
import { notificationRows } from '../notifications/agent-rows.ts'
import { replyRows } from '../replies/agent-rows.ts'
import { ruleRows } from '../rules/agent-rows.ts'
import { testRows } from '../runs/agent-rows.ts'
import { searchRows } from '../search/agent-rows.ts'
import { targetRows } from '../targets/agent-rows.ts'
import { toolRows } from '../tools/agent-rows.ts'
import { transcriptRows } from '../transcripts/agent-rows.ts'
import { turnRows } from '../turns/agent-rows.ts'
import { usageRows } from '../usage/agent-rows.ts'
import { userRows } from '../users/agent-rows.ts'
import { widgetRows } from '../widgets/agent-rows.ts'

/** The tables with rows of agents; rows that refer to others come before them. */
export const agentRows = [
  ...noticeRows,
  ...notificationRows,
  ...connectionRows,
  ...mailboxRows,
  ...ruleRows,
  ...replyRows,
  ...macroRows,
  ...widgetRows,
  ...evaluatorRows,
  ...toolRows,
  ...testRows,
  ...searchRows,
  ...repeatRows,
  ...deskRows,
  ...targetRows,
  ...turnRows,
  ...fileRows,
  ...transcriptRows,
  ...supportRows,
  ...userRows,
  ...inboxRows,
  ...learningRows,
  ...knowledgeRows,
  ...eventRows,
  ...versionRows,
  ...usageRows,
  ...credentialRows,
]
