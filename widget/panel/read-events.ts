/** The silence after which a connection counts as dead; the service sends something every 15 seconds. */
const SILENCE_MS = 45_000

/** Reads server-sent events as they come. */
export async function* readEvents(response: Response): AsyncGenerator<{ id: string | null; data: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  let text = ''
  try {
    for (;;) {
      const { done, value } = await withoutSilence(reader.read())
      if (done) return
      text += value.replaceAll('\r', '')
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const data = fieldOf(event, 'data')
        if (data !== null) yield { id: fieldOf(event, 'id'), data }
      }
    }
  } finally {
    // A reader that stops early ends the request as well.
    reader.cancel().catch(() => {})
  }
}

async function withoutSilence<Value>(reading: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error()), SILENCE_MS)
  try {
    return await Promise.race([reading, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns a field of an event. The service writes each field in one line. */
function fieldOf(event: string, name: string): string | null {
  return new RegExp(`^${name}: (.*)`, 'm').exec(event)?.[1] ?? null
}
