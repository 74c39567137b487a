import { afterEach } from 'node:test'
import type { TestAgent } from './app.ts'
import { pauses } from './becomes.ts'
import { onBothEngines, type Service } from './on-both-engines.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { shared } from './shared.ts'

/** Runs the same tests on each storage engine, with one service and one receiver, which is reset before each test. */
export function onEndpoint(
  name: string,
  tests: (service: Service, endpoint: { readonly receiver: Receiver }) => void,
): void {
  onBothEngines(name, (service) => {
    const receiver = shared(startReceiver)
    afterEach(() => {
      receiver().received.length = 0
      receiver().respond = (response) => void response.end('ok')
    })
    tests(service, {
      get receiver() {
        return receiver()
      },
    })
  })
}

/** Returns the newest delivery of a notification once it has ended. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into deliveries of every shape
export async function endedDelivery(agent: TestAgent, notificationId: number): Promise<any> {
  for (const pause = pauses(); ; await pause()) {
    const { body } = await agent.get(`/notifications/${notificationId}/deliveries`)
    const [delivery] = body.data
    if (delivery && !['pending', 'sending'].includes(delivery.state)) return delivery
  }
}
