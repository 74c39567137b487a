import { type Kysely, sql } from 'kysely'
import type { Engine } from './engine.ts'
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
import * as forgottenSearches from './migrations/0048-forgotten-searches.ts'
import type { Tables } from './tables.ts'

interface Migration {
  name: string
  up(db: Kysely<Tables>, engine: Engine): Promise<void>
}

/** In the order in which they run. A released migration is never changed. */
const migrations: readonly Migration[] = [
  { name: '0001-foundation', up: foundation.up },
  { name: '0002-channels', up: channels.up },
  { name: '0003-notifications', up: notifications.up },
  { name: '0004-rules', up: rules.up },
  { name: '0005-analytics', up: analytics.up },
  { name: '0006-whole-traces', up: wholeTraces.up },
  { name: '0007-unprompted-messages', up: unpromptedMessages.up },
  { name: '0008-counted-redactions', up: countedRedactions.up },
  { name: '0009-retired-ids', up: retiredIds.up },
  { name: '0010-all-texts', up: allTexts.up },
  { name: '0011-listed', up: listed.up },
  { name: '0012-forgotten', up: forgotten.up },
  { name: '0013-processes', up: processes.up },
  { name: '0014-message-delivery', up: messageDelivery.up },
  { name: '0015-chat-ids', up: chatIds.up },
  { name: '0016-failed-evaluations', up: failedEvaluations.up },
  { name: '0017-knowledge-sources', up: knowledgeSources.up },
  { name: '0020-rights', up: rights.up },
  { name: '0021-operators', up: operators.up },
  { name: '0022-audit', up: audit.up },
  { name: '0023a-audit-by-time', up: auditByTime.up },
  { name: '0023b-deleted-agents', up: deletedAgents.up },
  { name: '0024-leases', up: leases.up },
  { name: '0026-inbox', up: inbox.up },
  { name: '0026a-bulk-acts', up: bulkActs.up },
  { name: '0027-happenings', up: happenings.up },
  { name: '0027a-drafts-and-replies', up: draftsAndReplies.up },
  { name: '0027b-rule-log', up: ruleLog.up },
  { name: '0028-changes', up: changes.up },
  { name: '0029-search', up: search.up },
  { name: '0029a-users', up: users.up },
  { name: '0030-operator-mails', up: operatorMails.up },
  { name: '0031-knowledge-texts', up: knowledgeTexts.up },
  { name: '0031a-unanswered-questions', up: unansweredQuestions.up },
  { name: '0031b-quarter-counters', up: quarterCounters.up },
  { name: '0032-widgets', up: widgets.up },
  { name: '0034-knowledge-failures', up: knowledgeFailures.up },
  { name: '0034a-knowledge-imports', up: knowledgeImports.up },
  { name: '0035-knowledge-vectors', up: knowledgeVectors.up },
  { name: '0036-tools', up: tools.up },
  { name: '0037-model-usage', up: modelUsage.up },
  { name: '0038-agent-versions', up: agentVersions.up },
  { name: '0039-datasets', up: datasets.up },
  { name: '0041-conversation-summaries', up: conversationSummaries.up },
  { name: '0042-answer-calibration', up: answerCalibration.up },
  { name: '0043-import-turns', up: importTurns.up },
  { name: '0044-plain-letters', up: plainLetters.up },
  { name: '0048-forgotten-searches', up: forgottenSearches.up },
]

/** An arbitrary number that no other program uses in the same database. */
const ADVISORY_LOCK = 7_162_534_401

/**
 * Applies the missing migrations in one transaction. Only one process at a time can run it: PostgreSQL takes an
 * advisory lock, and on SQLite writing transactions exclude each other.
 * @returns the names of the migrations applied
 * @throws when the database has a migration that this version does not know
 */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<string[]> {
  return db.transaction().execute(async (db) => {
    if (engine.kind === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(db)
    await db.schema
      .createTable('schema_migrations')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('applied_at', 'text', (column) => column.notNull())
      .execute()
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
    const applied = new Set(rows.map(({ name }) => name))
    const unknown = [...applied].find((name) => !migrations.some((migration) => migration.name === name))
    if (unknown) throw new Error(`the database was written by a newer version of Parley (${unknown})`)
    const missing = migrations.filter(({ name }) => !applied.has(name))
    for (const { name, up } of missing) {
      await up(db, engine)
      await sql`insert into schema_migrations (name, applied_at) values (${name}, ${new Date().toISOString()})`.execute(
        db,
      )
    }
    return missing.map(({ name }) => name)
  })
}
