import { vi } from 'vitest'
import { createWebhooks, type Log, type WebhooksOptions } from '../../../server/receiver/index.ts'

/** A log that keeps quiet and can be asked what was written. */
function quietLog() {
  return { info: vi.fn<Log['info']>(), warn: vi.fn<Log['warn']>(), error: vi.fn<Log['error']>() }
}

export type QuietLog = ReturnType<typeof quietLog>

/** A receiver that neither prints nor starts by itself. */
export function quietWebhooks(options: WebhooksOptions = {}) {
  const log = quietLog()
  const webhooks = createWebhooks({ secret: 'abc', autoStart: false, log, ...options })
  return { webhooks, log }
}

/** A promise that is settled from outside. */
export function createGate() {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}
