import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PlaceUsed } from '../../files/places/metered-places.ts'
import type { ModelCalled } from '../../usage/metered.ts'
import type { UsedTokens } from '../../usage/used-tokens.ts'

/** A value of a gauge for each combination of its labels. */
export type Labelled = readonly { labels: Record<string, string>; value: number }[]

/** The counters of a process, for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/**
 * The processor time, memory, garbage collection and delay of the event loop. What observes them is never taken away, so
 * all applications of a process share them.
 */
const ofProcess = new Registry()
collectDefaultMetrics({ register: ofProcess, prefix: 'parley_' })

/** Creates the metrics of a process. Modules that count get one function each, and know nothing of Prometheus. */
export function createMetrics() {
  const registry = Registry.merge([ofProcess])
  const registers = [registry]
  const {
    modelCalls,
    firstPieces,
    tokens,
    deliveries,
    deliverySeconds,
    sends,
    fileSeconds,
    fileBytes,
    transcriptions,
    leaseLosses,
  } = countersIn(registers)

  /** The last reading of a scrape: they take turns, so that a scrape uses one connection to the database. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (read: () => Labelled | Promise<Labelled>): Promise<Labelled> => {
    const reading = last.then(() => read()).catch((): Labelled => [])
    last = reading
    return reading
  }

  return {
    registry,
    modelCalled({ purpose, outcome, seconds, firstPieceSeconds }: Parameters<ModelCalled>[0]): void {
      modelCalls.observe({ purpose, outcome }, seconds)
      if (firstPieceSeconds !== null) firstPieces.observe({ purpose }, firstPieceSeconds)
    },
    tokensUsed({ kind: purpose, promptTokens, completionTokens }: UsedTokens): void {
      tokens.inc({ purpose, direction: 'input' }, promptTokens)
      tokens.inc({ purpose, direction: 'output' }, completionTokens)
    },
    /** @param durationMs null for deliveries that ended without an attempt of this process */
    deliveryEnded(outcome: string, durationMs: number | null, count = 1): void {
      if (count > 0) deliveries.inc({ outcome }, count)
      if (durationMs !== null) deliverySeconds.observe(durationMs / 1000)
    },
    channelSent(platform: string, outcome: string, reason: string): void {
      sends.inc({ platform, outcome, reason })
    },
    placeUsed({ operation, place, outcome, seconds, bytes }: Parameters<PlaceUsed>[0]): void {
      fileSeconds.observe({ operation, place, outcome }, seconds)
      if (bytes > 0) fileBytes.inc({ operation, place }, bytes)
    },
    transcribed(outcome: string, seconds: number): void {
      transcriptions.observe({ outcome }, seconds)
    },
    leaseLost(work: string): void {
      leaseLosses.inc({ work })
    },
    /**
     * Adds values that are read at each scrape.
     * @param labelNames the labels that tell the values apart
     * @param read when it fails, these values are left out of the scrape, or are NaN without labels
     */
    gauge(
      name: string,
      help: string,
      labelNames: readonly string[],
      read: () => Labelled | Promise<Labelled>,
    ): void {
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          this.reset()
          const values = await inTurn(read)
          // The library would report 0 for a gauge without labels and values.
          if (values.length === 0 && labelNames.length === 0) this.set(Number.NaN)
          for (const { labels, value } of values) this.set(labels, value)
        },
      })
    },
  }
}

/** The counters themselves, as Prometheus reads them. */
function countersIn(registers: Registry[]) {
  return {
    modelCalls: new Histogram({
      name: 'parley_model_call_seconds',
      help: 'Time of calls to model servers by purpose and outcome: ok, aborted, or the reason of the failure.',
      labelNames: ['purpose', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    firstPieces: new Histogram({
      name: 'parley_model_first_piece_seconds',
      help: 'Time to the first piece of a streamed answer of a model server by purpose.',
      labelNames: ['purpose'],
      buckets: SECONDS,
      registers,
    }),
    tokens: new Counter({
      name: 'parley_model_tokens_total',
      help: 'Tokens that model servers read (input) and wrote (output) by purpose.',
      labelNames: ['purpose', 'direction'],
      registers,
    }),
    deliveries: new Counter({
      name: 'parley_deliveries_total',
      help: 'Webhook deliveries that ended by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'parley_delivery_seconds',
      help: 'Time in which endpoints of webhooks answered.',
      buckets: SECONDS,
      registers,
    }),
    sends: new Counter({
      name: 'parley_channel_sends_total',
      help: 'Calls by which messages were sent to platforms, by platform, outcome and the reason of a failure.',
      labelNames: ['platform', 'outcome', 'reason'],
      registers,
    }),
    fileSeconds: new Histogram({
      name: 'parley_file_seconds',
      help: 'Time that the place of files took, without waits for the sender or the reader, by operation (write, read, remove), place (database, store) and outcome (ok, left, gone, failed).',
      labelNames: ['operation', 'place', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    fileBytes: new Counter({
      name: 'parley_file_bytes_total',
      help: 'Bytes of files that were written and read, by operation and place.',
      labelNames: ['operation', 'place'],
      registers,
    }),
    transcriptions: new Histogram({
      name: 'parley_transcription_seconds',
      help: 'Time of calls to transcription servers by outcome: ok, aborted, or the reason of the failure.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    leaseLosses: new Counter({
      name: 'parley_lease_losses_total',
      help: 'Pieces of background work that another process took over while this one worked on them, by kind.',
      labelNames: ['work'],
      registers,
    }),
  }
}
