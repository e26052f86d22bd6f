import type { NotIdle } from '../contract/control-deliveries.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import { ControlError } from '../web/control-error.ts'
import { CommandError } from './command-error.ts'
import { connect } from './connect.ts'
import { printResponse, printJson, printTable } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { readWebhookNames, webhookName } from './webhook-names.ts'

export interface IdleCommandOptions extends ControlOptions {
  timeout?: string
  waiting?: boolean
}

/** Waits until nothing is queued or in flight; on timeout prints the outstanding deliveries and exits with 1. */
export async function idle(options: IdleCommandOptions): Promise<void> {
  const { call } = await connect(options)
  const { timeout, waiting } = options
  try {
    const answer = await call('GET idle', {
      query: { ...omitUndefined({ timeout }), ...(waiting === true ? { waiting: '1' } : {}) },
    })
    printResponse(options, answer, 'idle')
  } catch (error) {
    if (!(error instanceof ControlError && error.code === 'not_idle')) throw error
    const { message, outstanding } = error.body as NotIdle
    if (options.json === true) printJson(error.body)
    else if (outstanding.length > 0) {
      const names = await readWebhookNames({ call })
      printTable(outstanding.map((item) => rowOf(item, webhookName(names, item.webhookId))))
    }
    throw new CommandError(message, { cause: error })
  }
}

function rowOf(
  { deliveryId, state, nextRetryAt }: NotIdle['outstanding'][number],
  webhook: string,
): string[] {
  const next = nextRetryAt === undefined ? '' : `next attempt ${nextRetryAt}`
  return [deliveryId, state, `to ${webhook}`, next]
}
