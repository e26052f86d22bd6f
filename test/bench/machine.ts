import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Machine {
  date: string
  platform: string
  processor: string
  cores: number
  memoryBytes: number
}

/** What figures were measured on, and when. */
export function describeMachine(now = new Date()): Machine {
  return {
    date: now.toISOString().slice(0, 10),
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  }
}

/** One sentence for readers of the figures. */
export function describeRun({ date, platform, processor, cores, memoryBytes }: Machine): string {
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GB`
  return `Measured on ${date}: ${platform}, ${processor}, cores: ${cores}, memory: ${memory}. `
}
