import { durationUnitsMs } from '../contract/durations.ts'
import type { Overview } from '../contract/control-health.ts'
import type { ActiveOverrides } from '../contract/control-overrides.ts'
import { formatDuration } from '../core/duration.ts'
import { connect, type Connection } from './connect.ts'
import { printJson, printTable } from './output.ts'
import type { ControlOptions } from './read-options.ts'

/** What changes responses or waits, beyond the {@link ActiveOverrides}. */
interface Armed {
  experiments: { id: string; state: string }[]
  audits: { id: string; subject: string; state: string }[]
  heldWebhooks: { id: string; url: string }[]
  spaceFrames: { id: string; url: string }[]
  forks: { id: string; url: string }[]
  flags: string[]
}

/** Prints the URL and uptime of the sandbox, and everything that makes it respond otherwise than usual. */
export async function status(options: ControlOptions): Promise<void> {
  const { call, url, controlToken } = await connect(options)
  const overview = await call('GET overview')
  const overrides = await call('GET overrides')
  const armed = await readArmed(call, overview)
  const query = controlToken === undefined ? '' : `?token=${encodeURIComponent(controlToken)}`
  const dashboardUrl = `${url}/_sandbox/${query}`
  if (options.json === true) {
    const { version, pid, startedAt, dataDirectory, fixturesSource, counts } = overview
    return printJson({
      url: overview.baseUrl,
      dashboardUrl,
      version,
      pid,
      startedAt,
      uptime: formatDuration(Math.floor(uptimeOf(overview) / 1000) * 1000),
      dataDirectory,
      fixturesSource,
      ...overrides,
      ...armed,
      outstandingDeliveries: counts.outstandingDeliveries,
    })
  }
  printTable(describe({ overview, overrides, armed, dashboardUrl }))
}

async function readArmed(call: Connection['call'], { flags }: Overview): Promise<Armed> {
  const [experiments, audits, webhooks, frames, forks] = await Promise.all([
    call('GET experiments'),
    call('GET audits'),
    call('GET webhooks', { query: { limit: 1000 } }),
    call('GET space-frames'),
    call('GET forks'),
  ])
  return {
    experiments: experiments.items.flatMap(({ id, verdict }) =>
      verdict?.state === 'armed' || verdict?.state === 'watching'
        ? [{ id, state: verdict.state }]
        : [],
    ),
    audits: audits.items
      .filter(({ state }) => state === 'running' || state === 'waiting')
      .map(({ id, subject, state }) => ({ id, subject, state })),
    heldWebhooks: webhooks.items
      .filter(({ held }) => held)
      .map(({ id, target }) => ({ id, url: target })),
    spaceFrames: frames.items.map(({ id, target }) => ({ id, url: target })),
    forks: forks.items.map(({ id, url }) => ({ id, url })),
    flags,
  }
}

interface Status {
  overview: Overview
  overrides: ActiveOverrides
  armed: Armed
  dashboardUrl: string
}

function describe({ overview, overrides, armed, dashboardUrl }: Status): string[][] {
  const { baseUrl, version, pid, dataDirectory, fixturesSource, deliveries } = overview
  const held = overrides.barriers.reduce((sum, barrier) => sum + barrier.held, 0)
  const waiting = [
    counted(overrides.devices.length, 'pending device code', 'pending device codes'),
    counted(held, 'request held by a barrier', 'requests held by barriers'),
    counted(deliveries.pending, 'pending delivery', 'pending deliveries'),
    counted(deliveries.failing, 'failing delivery', 'failing deliveries'),
  ].filter((text) => text !== undefined)
  return [
    ['Hub', baseUrl],
    ['Dashboard', dashboardUrl],
    ['Version', version],
    ['Process', `${pid}, for ${roughly(uptimeOf(overview))}`],
    ['State', dataDirectory ?? 'in memory only'],
    ['Fixtures', fixturesSource],
    ...recordedRow(overrides),
    ['Clock', clockText(overrides.clock)],
    ['Faults', overrides.faults.map(faultText).join('; ') || 'none'],
    ['Barriers', overrides.barriers.map(barrierText).join('; ') || 'none'],
    ...armedRows(armed),
    ['Waiting', waiting.join(', ') || 'nothing'],
  ]
}

/** Rows of what most sandboxes do not have. */
function armedRows(armed: Armed): string[][] {
  const { experiments, audits, heldWebhooks, spaceFrames, forks, flags } = armed
  return [
    ['Experiments', ...experiments.map(({ id, state }) => `${id} (${state})`)],
    ['Audits', ...audits.map(({ id, subject, state }) => `${id} of ${subject} (${state})`)],
    ['Paused webhooks', ...heldWebhooks.map(({ id, url }) => `${id} to ${url}`)],
    ['Space frames', ...spaceFrames.map(({ id, url }) => `${id} of ${url}`)],
    ['Forks', ...forks.map(({ id, url }) => `${id} at ${url}`)],
    ['Flags', flags.join(' ')],
  ].flatMap(([name = '', ...texts]) => {
    const text = texts.join('; ')
    return text === '' ? [] : [[name, text]]
  })
}

function recordedRow({ recordedRun }: ActiveOverrides): [string, string][] {
  if (recordedRun === undefined) return []
  return [['Recorded run', `of ${recordedRun.madeAt}, for viewing only`]]
}

function uptimeOf({ startedAt }: Overview): number {
  return Math.max(0, Date.now() - Date.parse(startedAt))
}

/** Rounds a duration to whole seconds, minutes, hours or days. */
export function roughly(ms: number): string {
  const { s, m, h, d } = durationUnitsMs
  const unit = [d, h, m, s].find((one) => ms >= 2 * one) ?? s
  return formatDuration(Math.floor(ms / unit) * unit || 1000)
}

function clockText({ now, frozen, offsetMs }: ActiveOverrides['clock']): string {
  if (frozen) return `${now}, frozen`
  if (offsetMs === 0) return `${now}, real time`
  return `${now}, ${roughly(Math.abs(offsetMs))} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`
}

function faultText({ id, match, hits }: ActiveOverrides['faults'][number]): string {
  return `${id} for ${JSON.stringify(match)} (${hits} hits)`
}

function barrierText({ id, match, held, count }: ActiveOverrides['barriers'][number]): string {
  return `${id} for ${JSON.stringify(match)} (${held} of ${count} held)`
}

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`
}
