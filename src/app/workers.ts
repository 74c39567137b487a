import { anyEmbedsItself } from '../agents/store.ts'
import { runSupport } from '../analytics/support/run-support.ts'
import { runConnections } from '../channels/connections/run-connections.ts'
import { runFetches } from '../channels/media/run-fetches.ts'
import { workOfChannels } from '../channels/work-mailbox.ts'
import { runAway } from '../desk/say-away.ts'
import { runSnoozes } from '../desk/snooze/run-snoozes.ts'
import { runClocks } from '../desk/targets/run-clocks.ts'
import { runRecounts } from '../desk/targets/run-recounts.ts'
import { runSilences } from '../inactivity/run-silences.ts'
import { runAssignment } from '../inbox/assignment/run-assignment.ts'
import { runBulkActs } from '../inbox/bulk/run-bulk.ts'
import { runCalibration } from '../knowledge/calibration/run-calibration.ts'
import { runImports } from '../knowledge/imports/run-imports.ts'
import { runEmbedding } from '../knowledge/vectors/run-embedding.ts'
import { runProposals } from '../learning/run-proposals.ts'
import { openMailer } from '../lib/mail.ts'
import type { Begin } from '../lib/pacing/one-by-one.ts'
import { runMailboxes } from '../mailboxes/run-mailboxes.ts'
import { mailNotices } from '../notices/mails/mail-notices.ts'
import { pushNotices } from '../notices/pushes/push-notices.ts'
import { tellPeople } from '../notices/tell-people.ts'
import { type Deliverer, deliverNotifications } from '../notifications/deliver.ts'
import { lockActiveOperator } from '../operators/find-operator.ts'
import { sendMails } from '../operators/mails/send-mails.ts'
import { runAutomations } from '../rules/run-automations.ts'
import { runDeskAutomations } from '../rules/run-desk-automations.ts'
import { runIndexing } from '../search/index/run-indexing.ts'
import { searchedTexts } from '../search/searched-texts.ts'
import { runSummaries } from '../turns/history/run-summaries.ts'
import type { QueueDependencies } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { createSuspicion } from '../work/suspicion.ts'
import type { Parts } from './parts.ts'
import { workOfRuns } from './work-runs.ts'

/**
 * The time for answers under way to finish once the service is stopped; any text they have produced by then is stored.
 */
export const DRAIN_LIMIT_MS = 25_000

/** A mail that the server has not accepted by then is tried again after the next start. */
const MAIL_DRAIN_MS = 3000

/** The background work of a process. */
interface Workers {
  deliverer: Deliverer
  /** @param inTurn begins the first look of each for work */
  start(inTurn: Begin): Promise<void>
  /** Ends the work under way, and waits for it. */
  stop(): Promise<void>
}

/** Work beside how long it may go on once the service is stopped, in milliseconds. */
type Drained = [work: RunningWork, limitMs: number]

/** Prepares all background work for requests, platforms and people. */
export function prepareWorkers(parts: Parts): Workers {
  const { database, clock, logger, box, outbound, metrics } = parts
  const suspicion = createSuspicion()
  const common = { database, clock, logger, suspicion, leaseLost: metrics.leaseLost }
  const deliverer = deliverNotifications({ ...common, box, outbound, ended: metrics.deliveryEnded })
  const assignment = runAssignment(common)
  const works: Drained[] = [
    ...workWithPlatforms(parts, common),
    ...workAtDesk(parts, common),
    ...workWithMails(parts, common),
    ...workWithModels(parts, common),
    ...workOnDocuments(parts, common),
    [runIndexing({ ...common, texts: searchedTexts }), DRAIN_LIMIT_MS],
    [runSupport(common), DRAIN_LIMIT_MS],
    [workOfRuns(parts, suspicion), DRAIN_LIMIT_MS],
  ]
  return {
    deliverer,
    async start(inTurn) {
      await deliverer.start(inTurn)
      for (const [work] of works) work.start(inTurn)
      assignment.start(inTurn)
    },
    async stop() {
      const stopped = works.map(([work, limitMs]) => work.stop(limitMs))
      await Promise.all([...stopped, assignment.stop(), deliverer.stop()])
    },
  }
}

function workWithPlatforms(parts: Parts, common: QueueDependencies): Drained[] {
  const { channels, outbound, logger, places, baseUrl, turns, receiving } = parts
  const work = workOfChannels({
    ...turns,
    channels,
    outbound,
    logger,
    places,
    baseUrl,
    forgetCopies: parts.redaction.forgetCopies,
    links: parts.fileLinks,
    stopLinks: parts.stopLinks,
    sent: parts.metrics.channelSent,
  })
  const { fileLimit } = parts.config
  return [
    [runMailboxes({ ...common, work }), DRAIN_LIMIT_MS],
    [runConnections({ ...common, channels, outbound, receiving, baseUrl }), 0],
    [runFetches({ ...common, channels, outbound, places, fileLimit }), 0],
  ]
}

function workAtDesk(parts: Parts, common: QueueDependencies): Drained[] {
  const { box, outbound, evaluators, rulesOf, turns } = parts
  const { isSpent } = turns
  const ofRules = { box, outbound, evaluators, rulesOf, isSpent, lockAssignee: lockActiveOperator }
  const ofAutomations = { ...common, ...ofRules }
  return [
    [runAutomations(ofAutomations), DRAIN_LIMIT_MS],
    [runDeskAutomations(ofAutomations), DRAIN_LIMIT_MS],
    [runBulkActs({ ...common, box, outbound, lessons: turns.lessons }), DRAIN_LIMIT_MS],
    [runSnoozes(common), DRAIN_LIMIT_MS],
    [runAway(common), DRAIN_LIMIT_MS],
    [runClocks(common), DRAIN_LIMIT_MS],
    [runRecounts(common), DRAIN_LIMIT_MS],
  ]
}

function workWithMails(parts: Parts, common: QueueDependencies): Drained[] {
  const { config, box, outbound, publicUrl } = parts
  const { isLooking } = parts.hub.company
  const works: Drained[] = [
    [tellPeople({ ...common, isLooking, isMailing: config.mail !== null }), DRAIN_LIMIT_MS],
    [pushNotices({ ...common, box, outbound, contact: () => contactOf(publicUrl()) }), MAIL_DRAIN_MS],
  ]
  if (config.mail === null) return works
  const ofMails = { ...common, mailer: openMailer(config.mail), publicUrl }
  works.push(
    [sendMails({ ...ofMails, box }), MAIL_DRAIN_MS],
    [mailNotices({ ...ofMails, stopLinks: parts.noticeStopLinks }), MAIL_DRAIN_MS],
  )
  return works
}

function workWithModels(parts: Parts, common: QueueDependencies): Drained[] {
  const { rooms, isSpent, modelFailed } = parts.turns
  const asking = { ...common, isSpent, modelFailed }
  const { redactorFor } = parts.redaction
  return [
    [runSummaries({ ...asking, rooms, modelFor: parts.summaryModelFor }), 0],
    [runSilences({ ...asking, modelFor: parts.inactivityModelFor }), 0],
    [runProposals({ ...asking, modelFor: parts.proposalModelFor, redactorFor }), 0],
  ]
}

function workOnDocuments(parts: Parts, common: QueueDependencies): Drained[] {
  const { config, database, outbound, embedderOf } = parts
  const anyServerIsSet = async () => config.embedding.url !== null || anyEmbedsItself(database.db)
  return [
    [runImports({ ...common, outbound }), DRAIN_LIMIT_MS],
    [runEmbedding({ ...common, embedderOf, anyServerIsSet }), DRAIN_LIMIT_MS],
    [runCalibration(common), DRAIN_LIMIT_MS],
  ]
}

/** Returns the contact address that push services get of whoever runs this service. They accept no http address. */
function contactOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:postmaster@localhost'
}
