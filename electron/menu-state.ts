import type { TriggerRequest } from '../server/contract/control-events.ts'
import type { OwnSandbox } from './own.ts'
import type { DesktopSettings } from './settings.ts'
import type { Glance, Watch } from './watch.ts'

/** What the menus show of the user's own sandbox and of the app. */
export interface MenuState {
  /** How the sandbox is: it runs in this process, in another one, or not at all. */
  sandbox: 'here' | 'elsewhere' | 'stopped'
  url: string | undefined
  /** Undefined while it does not answer. */
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

/** Whether the sandbox runs, and where, in a line. */
export function describeWhere({ sandbox, url, glance }: MenuState): string {
  if (url === undefined) return 'The sandbox is stopped'
  const host = new URL(url).host
  if (glance === undefined) return `The sandbox at ${host} does not answer yet`
  return sandbox === 'here' ? `Running at ${host}` : `Running at ${host}, in another process`
}

/** What waits or fails, in a line. */
export function describeGlance({
  outstandingDeliveries,
  failingWebhooks,
  pendingDevices,
  isPaused,
}: Glance): string {
  const parts = [
    isPaused ? 'deliveries paused' : '',
    count(outstandingDeliveries, 'delivery outstanding', 'deliveries outstanding'),
    count(failingWebhooks, 'webhook failing', 'webhooks failing'),
    count(pendingDevices, 'device waiting', 'devices waiting'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Nothing waits, nothing fails' : parts.join(', ')
}

/** The name of a trigger in a menu. */
export function describeTrigger({ event, kind, repo, repeat }: TriggerRequest): string {
  const times = repeat === undefined ? '' : ` × ${repeat.times}`
  return `${event}${kind === undefined ? '' : ` (${kind})`} in ${repo}${times}`
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? '' : `${number} ${number === 1 ? one : many}`
}
