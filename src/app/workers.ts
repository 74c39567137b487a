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
export interface Workers {
  deliverer: Deliverer
  start(): Promise<void>
  /** Ends the work under way, and waits for it. */
  stop(): Promise<void>
}

/** Prepares all background work for requests, platforms and people. */
export function prepareWorkers(parts: Parts): Workers {
  const { config, database, clock, logger, box, outbound, evaluators, rulesOf, channels, turns, metrics } =
    parts
  const suspicion = createSuspicion()
  const { leaseLost } = metrics
  const common = { database, clock, logger, suspicion, leaseLost }
  const bulkActs = runBulkActs({ ...common, box, outbound, lessons: turns.lessons })
  const snoozes = runSnoozes(common)
  const assignment = runAssignment(common)
  const away = runAway(common)
  const notices = tellPeople({
    ...common,
    isLooking: parts.hub.company.isLooking,
    isMailing: config.mail !== null,
  })
  const pushes = pushNotices({ ...common, box, outbound, contact: () => contactOf(parts.publicUrl()) })
  const ofAutomations = {
    ...{ ...common, box, outbound, evaluators, rulesOf },
    lockAssignee: lockActiveOperator,
  }
  const automations = runAutomations(ofAutomations)
  const deskAutomations = runDeskAutomations(ofAutomations)
  const clocks = runClocks(common)
  const recounts = runRecounts(common)
  const imports = runImports({ ...common, outbound })
  const testRuns = workOfRuns(parts, suspicion)
  const indexing = runIndexing({ database, clock, logger, texts: searchedTexts })
  const support = runSupport(common)
  const calibration = runCalibration(common)
  const embedding = runEmbedding({
    ...common,
    embedderOf: parts.embedderOf,
    anyServerIsSet: async () => config.embedding.url !== null || anyEmbedsItself(database.db),
  })
  const mailboxes = runMailboxes({
    ...common,
    work: workOfChannels({
      ...turns,
      channels,
      outbound,
      logger,
      forgetCopies: parts.redaction.forgetCopies,
      places: parts.places,
      links: parts.fileLinks,
      stopLinks: parts.stopLinks,
      baseUrl: parts.baseUrl,
      sent: metrics.channelSent,
    }),
  })
  const { receiving, baseUrl } = parts
  const connections = runConnections({ ...common, channels, outbound, receiving, baseUrl })
  const { fileLimit } = config
  const fetches = runFetches({ ...common, channels, outbound, places: parts.places, fileLimit })
  const { rooms, isSpent, modelFailed } = turns
  const summaries = runSummaries({
    ...common,
    rooms,
    isSpent,
    modelFailed,
    modelFor: parts.summaryModelFor,
  })
  const silences = runSilences({ ...common, isSpent, modelFailed, modelFor: parts.inactivityModelFor })
  const proposals = runProposals({
    ...common,
    isSpent,
    modelFailed,
    modelFor: parts.proposalModelFor,
    redactorFor: parts.redaction.redactorFor,
  })
  const deliverer = deliverNotifications({
    ...common,
    box,
    outbound,
    ended: metrics.deliveryEnded,
  })
  const mails =
    config.mail && sendMails({ ...common, box, mailer: openMailer(config.mail), publicUrl: parts.publicUrl })
  const noticeMails =
    config.mail &&
    mailNotices({
      ...common,
      mailer: openMailer(config.mail),
      publicUrl: parts.publicUrl,
      stopLinks: parts.noticeStopLinks,
    })
  return {
    deliverer,
    async start() {
      await deliverer.start()
      mailboxes.start()
      connections.start()
      fetches.start()
      automations.start()
      deskAutomations.start()
      bulkActs.start()
      assignment.start()
      snoozes.start()
      away.start()
      notices.start()
      pushes.start()
      clocks.start()
      recounts.start()
      mails?.start()
      noticeMails?.start()
      indexing.start()
      support.start()
      imports.start()
      testRuns.start()
      embedding.start()
      calibration.start()
      summaries.start()
      proposals.start()
      silences.start()
    },
    async stop() {
      await Promise.all([
        mailboxes.stop(DRAIN_LIMIT_MS),
        connections.stop(0),
        fetches.stop(0),
        automations.stop(DRAIN_LIMIT_MS),
        deskAutomations.stop(DRAIN_LIMIT_MS),
        bulkActs.stop(DRAIN_LIMIT_MS),
        assignment.stop(),
        snoozes.stop(DRAIN_LIMIT_MS),
        away.stop(DRAIN_LIMIT_MS),
        notices.stop(DRAIN_LIMIT_MS),
        pushes.stop(MAIL_DRAIN_MS),
        clocks.stop(DRAIN_LIMIT_MS),
        recounts.stop(DRAIN_LIMIT_MS),
        mails?.stop(MAIL_DRAIN_MS),
        noticeMails?.stop(MAIL_DRAIN_MS),
        indexing.stop(DRAIN_LIMIT_MS),
        support.stop(DRAIN_LIMIT_MS),
        imports.stop(DRAIN_LIMIT_MS),
        testRuns.stop(DRAIN_LIMIT_MS),
        embedding.stop(DRAIN_LIMIT_MS),
        calibration.stop(DRAIN_LIMIT_MS),
        summaries.stop(0),
        proposals.stop(0),
        silences.stop(0),
        deliverer.stop(),
      ])
    },
  }
}

/** Returns the address by which push services can reach who runs this service. They take no http address. */
function contactOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:postmaster@localhost'
}
