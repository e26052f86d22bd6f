import type { DeviceItem } from '../../server/contract/control-sign-in.ts'

export type DeviceOutcome = Exclude<DeviceItem['status'], 'pending' | 'consumed'>

/** On the sandbox clock: a code ends before the eyes. `undefined` while it waits. */
export function outcomeOf(
  { status, expiresAt }: Pick<DeviceItem, 'status' | 'expiresAt'>,
  now: number,
): DeviceOutcome | undefined {
  if (status === 'approved' || status === 'consumed') return 'approved'
  if (status === 'denied' || status === 'expired') return status
  return Date.parse(expiresAt) <= now ? 'expired' : undefined
}
