import type { Job } from '../../store/entities/webhook-entities.ts'
import type { JobHardware } from './hardware.ts'
import type { ProcessUsage } from './run-process.ts'

interface Measured {
  /** Milliseconds of real time. */
  at: number
  /** Absent where the system does not report it. */
  usage: ProcessUsage | undefined
}

/** Returns the metrics of a running job as the hub sends them. Network and GPUs are not measured. */
export function jobSample(
  { id }: Pick<Job, 'id'>,
  hardware: JobHardware | undefined,
  earlier: Measured,
  now: Measured,
) {
  const cores = Number.parseInt(hardware?.cpu ?? '1', 10)
  const cpuMs = ((now.usage?.cpuSeconds ?? 0) - (earlier.usage?.cpuSeconds ?? 0)) * 1000
  const elapsedMs = now.at - earlier.at
  const share = elapsedMs > 0 ? Math.max(cpuMs, 0) / elapsedMs / cores : 0
  return {
    cpu_usage_pct: Math.round(Math.min(share, 1) * 100),
    cpu_millicores: cores * 1000,
    memory_used_bytes: now.usage?.memoryBytes ?? 0,
    memory_total_bytes: Number.parseInt(hardware?.ram ?? '0', 10) * 1024 ** 3,
    rx_bps: 0,
    tx_bps: 0,
    gpus: {},
    replica: id.slice(-5),
  }
}
