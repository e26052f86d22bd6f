import { durationUnitsMs } from '../contract/durations.ts'
import type { Overview } from '../contract/control-health.ts'
import type { ActiveOverrides } from '../contract/control-overrides.ts'
import { formatDuration } from '../core/duration.ts'
import { connect, type ConnectOptions } from './connect.ts'
import { printJson, printTable } from './output.ts'

export interface StatusOptions extends ConnectOptions {
  json?: boolean
}

/** Prints the URL, uptime and active overrides of the sandbox. */
export async function status(options: StatusOptions): Promise<void> {
  const { call, url, controlToken } = await connect(options)
  const overview = await call('GET overview')
  const overrides = await call('GET overrides')
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
      outstandingDeliveries: counts.outstandingDeliveries,
    })
  }
  printTable(describe(overview, overrides, dashboardUrl))
}

function describe(
  overview: Overview,
  overrides: ActiveOverrides,
  dashboardUrl: string,
): string[][] {
  const { baseUrl, version, pid, dataDirectory, fixturesSource, counts } = overview
  const held = overrides.barriers.reduce((sum, barrier) => sum + barrier.held, 0)
  const waiting = [
    counted(overrides.devices.length, 'pending device code', 'pending device codes'),
    counted(held, 'request held by a barrier', 'requests held by barriers'),
    counted(counts.outstandingDeliveries, 'delivery', 'deliveries'),
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
    ['Waiting', waiting.join(', ') || 'nothing'],
  ]
}

function recordedRow({ recordedRun }: ActiveOverrides): [string, string][] {
  if (recordedRun === undefined) return []
  return [['Recorded run', `of ${recordedRun.madeAt}; continue it with hub-sandbox resume`]]
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

function counted(count: number, one: string, many: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : many}`
}
