import type { TriggerRequest } from '../server/contract/control-events.ts'
import type { OwnSandbox } from './own.ts'
import type { DesktopSettings } from './settings.ts'
import type { Glance, Watch } from './watch.ts'

/** State shown in the menus. */
export interface MenuState {
  /** State of the sandbox: running in this process, in another one, or stopped. */
  sandbox: 'here' | 'elsewhere' | 'stopped'
  url: string | undefined
  /** Undefined while the sandbox does not respond. */
  glance: Glance | undefined
  settings: DesktopSettings
}

export function readMenuState(
  own: Pick<OwnSandbox, 'running' | 'known'>,
  { glance }: Pick<Watch, 'glance'>,
  settings: DesktopSettings,
): MenuState {
  const known = own.known
  const where = known === undefined ? 'stopped' : known === own.running ? 'here' : 'elsewhere'
  return { sandbox: where, url: known?.url, glance, settings }
}

/** Describes in one line whether and where the sandbox runs. */
export function describeWhere({ sandbox, url, glance }: MenuState): string {
  if (url === undefined) return 'The sandbox is stopped'
  const host = new URL(url).host
  if (glance === undefined) return `The sandbox at ${host} is not responding yet`
  return sandbox === 'here' ? `Running at ${host}` : `Running at ${host}, in another process`
}

/** Describes what is open or fails in one line, in the words of the dashboard. */
export function describeGlance({
  pendingDeliveries,
  failingDeliveries,
  failedDeliveries,
  failingWebhooks,
  suspendedWebhooks,
  pendingDevices,
  isPaused,
}: Glance): string {
  const parts = [
    isPaused ? 'deliveries paused' : '',
    count(pendingDeliveries, 'pending delivery', 'pending deliveries'),
    count(failingDeliveries, 'failing delivery', 'failing deliveries'),
    count(failedDeliveries, 'failed delivery', 'failed deliveries'),
    count(failingWebhooks, 'failing webhook', 'failing webhooks'),
    count(suspendedWebhooks, 'suspended webhook', 'suspended webhooks'),
    count(pendingDevices, 'pending device', 'pending devices'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'All clear' : parts.join(', ')
}

/** The name of a trigger in a menu. */
export function describeTrigger({ event, kind, repo, repeat }: TriggerRequest): string {
  const times = repeat === undefined ? '' : ` × ${repeat.times}`
  return `${event}${kind === undefined ? '' : ` (${kind})`} in ${repo}${times}`
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`
}
