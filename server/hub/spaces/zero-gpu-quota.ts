import type { User } from '../../store/entities/account-entities.ts'
import type { State } from '../../store/state.ts'

/** Seconds of GPU time in a day, as the hub documents them. */
const [freeSeconds, proSeconds, enterpriseSeconds] = [300, 2400, 3600]

/** Returns the ZeroGPU quota of a user. Nothing runs in a sandbox, so all of it is left. */
export function zeroGpuQuota(
  { state }: { state: Pick<State, 'organizations'> },
  { id, isPro }: User,
): { base: number; current: number; resetsAt: null; overquotaUsed: number } {
  const plans = state.organizations.group('member', id).map(({ plan }) => plan)
  const hasTeam = plans.includes('team') || plans.includes('academia')
  const isEnterprise = plans.includes('enterprise') || plans.includes('plus')
  const base = isEnterprise ? enterpriseSeconds : isPro || hasTeam ? proSeconds : freeSeconds
  return { base, current: base, resetsAt: null, overquotaUsed: 0 }
}
