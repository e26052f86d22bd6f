import type { Decision } from '../contract/words/oauth.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { ControlError } from '../handle/control-error.ts'
import { connect, type Connection, nextCommand } from './connect.ts'
import { withId } from './known.ts'
import { printAnswer, printList } from './output.ts'
import type { ControlOptions } from './read-options.ts'
import { firstUser } from './token.ts'

export async function listDevices(options: ControlOptions): Promise<void> {
  const { call } = await connect(options)
  const { items } = await call('GET device', { query: { limit: 1000 } })
  const next = nextCommand(['demo', 'device', '--yes'], options)
  printList(
    options,
    items,
    ({ userCode, app, status, user, expiresAt }) => [
      userCode,
      status,
      user?.username ?? '',
      `until ${expiresAt}`,
      app.name,
    ],
    `No device codes. Run a demo: ${next}`,
  )
}

export interface DeviceOptions extends ControlOptions {
  user?: string
  organization?: string[]
}

/** Approves or denies a device code as a user, and prints the new status. */
export async function answerForDevice(
  code: string,
  decision: Decision,
  options: DeviceOptions,
): Promise<void> {
  const { call } = await connect(options)
  const user = options.user ?? (await firstUser(call))
  const body = { user, decision, ...omitUndefined({ organizations: options.organization }) }
  const answer = await withId(code, waitingDevices(call), (userCode) =>
    call('POST device/:userCode', { params: { userCode }, body }),
  )
  printAnswer(options, answer, answer.status)
}

function waitingDevices(call: Connection['call']) {
  return {
    what: 'pending code',
    ids: async () => {
      const { items } = await call('GET device', { query: { limit: 1000 } })
      return items.filter(({ status }) => status === 'pending').map(({ userCode }) => userCode)
    },
    // Unknown, expired or already used: the message says which.
    ownSentence: ({ message }: ControlError) =>
      message.includes('This code ') ? message : undefined,
  }
}
