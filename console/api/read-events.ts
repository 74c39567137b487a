import { createParser } from 'eventsource-parser'

/** Passes on the data of each event of a response as it comes, until the response ends. */
export async function readEvents(response: Response, onData: (data: string) => void): Promise<void> {
  const parser = createParser({
    onEvent({ data }) {
      if (data !== '[DONE]') onData(data)
    },
  })
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read())
    parser.feed(decoder.decode(piece.value, { stream: true }))
}
