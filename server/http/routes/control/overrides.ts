import { isoTime } from '../../../core/time.ts'
import type { ActiveOverrides } from '../../../contract/control-overrides.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { hitsLeft, isUsedUp } from '../../../lab/faults/faults.ts'
import { describeClock } from '../../../lab/triggers/move-clock.ts'
import type { ServerDeps } from '../../server-deps.ts'
import { control, type ControlRoutes } from './endpoint.ts'
import { appRef } from './views/refs.ts'
import { isPendingDevice } from './views/sign-in.ts'

export const overrideRoutes: ControlRoutes = async (app, { deps }) => {
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
