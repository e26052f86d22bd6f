import type { FlowDetail } from '../../contract/control-flows.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { whyUnreachable } from '../../core/reach.ts'
import { isoTime } from '../../core/time.ts'
import type { DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import { bodyText } from '../log/body-text.ts'
import type { Flow } from '../flows/flows.ts'
import type { DrawingDeps } from './context.ts'
import { formOf } from './exchanges.ts'

/** Finds the device authorization of a sign-in, if the state still has it. */
export function deviceOf(
  { state }: Pick<DrawingDeps, 'state'>,
  { kind, records }: Pick<Flow, 'kind' | 'records'>,
): DeviceAuthorization | undefined {
  if (kind !== 'device-code') return undefined
  for (const record of records) {
    const given = /"device_code":"([^"]+)"/.exec(bodyText(record.response.body) ?? '')?.[1]
    const code = given ?? formOf(record).get('device_code')
    if (typeof code === 'string') return state.deviceAuthorizations.get(code)
  }
  return undefined
}

/** Describes what the user of a device has to do next, if anything. */
export function describeWaitingDevice(
  { settings, clock }: Pick<DrawingDeps, 'settings' | 'clock'>,
  device: DeviceAuthorization | undefined,
): FlowDetail['device'] {
  if (device?.status !== 'pending' || device.expiresAt <= clock.now()) return undefined
  const verificationUri = `${settings.baseUrl}/oauth/device`
  const complete = `${verificationUri}?user_code=${device.userCode}`
  return {
    userCode: device.userCode,
    verificationUri,
    ...(settings.device.verificationUriComplete ? { verificationUriComplete: complete } : {}),
    expiresAt: isoTime(device.expiresAt),
    ...omitUndefined({ unreachable: whyUnreachable(verificationUri) }),
  }
}
