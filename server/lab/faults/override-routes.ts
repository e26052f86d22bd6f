import { isoTime } from '../../core/time.ts'
import type { ActiveOverrides } from '../../contract/control-overrides.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { hitsLeft, isUsedUp } from './faults.ts'
import { describeClock } from '../clock/move-clock.ts'
import type { ServerDeps } from '../server-deps.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import { appRef } from '../../hub/access/refs.ts'
import { isPendingDevice } from '../sign-in/view.ts'

export const overrideRoutes: ControlRoutes<ServerDeps> = async (app, { deps }) => {
  control(app, 'GET overrides', async () => describeOverrides(deps))
}

function describeOverrides(deps: ServerDeps): ActiveOverrides {
  return {
    ...omitUndefined({ recordedRun: deps.recordedRun.describe() }),
    clock: describeClock(deps.clock.read()),
    faults: deps.faults
      .list()
      .filter((rule) => !isUsedUp(rule))
      .map((rule) => ({ id: rule.id, match: rule.match, hits: rule.hits, ...hitsLeft(rule) })),
    barriers: deps.barriers
      .list()
      .map(({ id, match, count, held }) => ({ id, match, count, held: held.length })),
    devices: [...deps.state.deviceAuthorizations.values()]
      .filter((device) => isPendingDevice(deps, device))
      .map((device) => ({
        userCode: device.userCode,
        app: appRef(deps, device.clientId),
        expiresAt: isoTime(device.expiresAt),
      })),
  }
}
