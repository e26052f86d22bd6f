import type { DeviceItem } from '../../server/contract/control-sign-in.ts'

export type DeviceOutcome = Exclude<DeviceItem['status'], 'pending' | 'consumed'>

/** Outcome of a device code on the sandbox clock; `undefined` while it is pending. */
export function outcomeOf(
  { status, expiresAt }: Pick<DeviceItem, 'status' | 'expiresAt'>,
  now: number,
): DeviceOutcome | undefined {
  if (status === 'approved' || status === 'consumed') return 'approved'
  if (status === 'denied' || status === 'expired') return status
  return Date.parse(expiresAt) <= now ? 'expired' : undefined
}
