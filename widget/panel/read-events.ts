/** The silence after which a connection counts as dead; the service sends something every 15 seconds. */
const SILENCE_MS = 45_000

/** Reads server-sent events as they come. */
export async function* readEvents(response: Response): AsyncGenerator<{ id: string | null; data: string }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) return
  // The end of a silent stream, and of one whose reader stops early; it ends the request as well.
  const end = () => void reader.cancel().catch(() => {})
  let text = ''
  try {
    for (;;) {
      const timer = setTimeout(end, SILENCE_MS)
      const { done, value } = await reader.read()
      clearTimeout(timer)
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
    end()
  }
}

/** Returns a field of an event. The service writes each field in one line. */
function fieldOf(event: string, name: string): string | null {
  return new RegExp(`^${name}: (.*)`, 'm').exec(event)?.[1] ?? null
}
