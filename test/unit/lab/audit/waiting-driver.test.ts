import { expect, test, vi } from 'vitest'
import { waitingDriver } from '../../../../server/lab/audit/app/drivers/waiting.ts'
import type { AuditControl } from '../../../../server/lab/audit/runs.ts'

test('a code of a device that cannot be approved is reported', async () => {
  using emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const control = { wait: async () => ({ how: 'continued' }) } as unknown as AuditControl
  const driver = waitingDriver(control, {
    kind: 'program',
    app: 'Device',
    user: 'alice',
    canUse: false,
    canProbe: false,
    flow: 'device',
    answerDevices: () => Promise.reject(new Error('the server is closed')),
    watchSignIn: () => ({ done: new Promise(() => undefined), isUnfinished: () => false }),
  })
  await driver.open('device/denied').signIn(0)
  await expect
    .poll(() => emitWarning.mock.calls)
    .toEqual([['approving the codes of devices failed: the server is closed']])
})
