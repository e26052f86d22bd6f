import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Sandbox } from '../../../server/index.ts'

export interface TestReceiver {
  url: string
  /** Bodies as they came. */
  received: string[]
  /** `Webhook-Id` of each. */
  messageIds: (string | undefined)[]
  /** What it answers from now on. */
  answer(status: number): void
  /** What it answers the next ones, one after the other, before that. */
  answerNext(...statuses: number[]): void
  /** Lets calls come in and answers none of them until it is called back. */
  hold(): () => void
  close(): Promise<void>
}

/** Something that listens for deliveries, on a port of its own. */
export async function startReceiver(): Promise<TestReceiver> {
  const received: string[] = []
  const messageIds: (string | undefined)[] = []
  const next: number[] = []
  let status = 200
  let released: Promise<void> = Promise.resolve()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      messageIds.push(request.headers['webhook-id']?.toString())
      void released.then(() => {
        const answered = next.shift() ?? status
        response.writeHead(answered, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ processed: answered === 200 }))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks/events`,
    received,
    messageIds,
    answer: (changed) => {
      status = changed
    },
    answerNext: (...statuses) => next.push(...statuses),
    hold: () => {
      let release = (): void => undefined
      released = new Promise((resolve) => (release = resolve))
      return release
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * One that a webhook of alice calls, whatever happens in the organization acme.
 * @param more of the webhook
 */
export async function startReceiverOfAcme(
  sandbox: Pick<Sandbox, 'control'>,
  more: { name?: string; secret?: string } = {},
): Promise<TestReceiver> {
  const receiver = await startReceiver()
  const watched = [{ type: 'org', name: 'acme' }]
  await sandbox.control('POST', 'webhooks', {
    user: 'alice',
    url: receiver.url,
    watched,
    ...more,
  })
  return receiver
}
