import type { FlagSources } from './flag-sources.ts'

/**
 * Decides whether a delivery is held when its webhook triggers itself. The hub holds none, so its delivery rules turn it
 * off if an option or variable names them; they are the default rules, too.
 */
export function readLoopDetection(sources: FlagSources): boolean {
  const isHubChosen =
    sources.rank('deliveryProfile') < 2 && sources.value('deliveryProfile') === 'hub'
  return (sources.given('loopDetection') ?? (isHubChosen ? 'off' : 'on')) === 'on'
}
