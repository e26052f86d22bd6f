import { expect, test } from 'vitest'
import type { DeliveryFacts } from '../../../server/receiver/handler.ts'
import { HandlerRunner } from '../../../server/receiver/handler-runner.ts'
import { createGate, quietWebhooks } from './kit.ts'

const facts: DeliveryFacts = {
  endpoint: 'x',
  rawBody: new Uint8Array(),
  headers: new Headers(),
  receivedAt: new Date(0),
  dedupeKey: 'wh_1',
}
const newRunner = () => new HandlerRunner({ autoAckMs: false, log: quietWebhooks().log })
const whenSent = () => Promise.resolve()

test('a handler gets an aborted signal if its sender has already disconnected', async () => {
  let isAborted: boolean | undefined
  const handler = ({ signal }: { signal: AbortSignal }) => void (isAborted = signal.aborted)
  await newRunner().run(handler, facts, { signal: AbortSignal.abort(), whenSent })
  expect(isAborted).toBe(true)
})

test('closing aborts every running handler, also after another has ended', async () => {
  const runner = newRunner()
  const { signal } = new AbortController()
  const gate = createGate()
  const stopped = createGate()
  const running = runner.run(
    (context) => {
      context.signal.addEventListener('abort', stopped.resolve)
      return gate.promise
    },
    facts,
    { signal, whenSent },
  )
  await runner.run(() => undefined, facts, { signal, whenSent })
  runner.abort()
  await stopped.promise
  gate.resolve()
  expect((await running).status).toBe(204)
})
