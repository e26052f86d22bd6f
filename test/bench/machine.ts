import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Machine {
  date: string
  platform: string
  processor: string
  cores: number
  memoryBytes: number
}

/** Describes the machine and the date of a measurement. */
export function describeMachine(now = new Date()): Machine {
  return {
    date: now.toISOString().slice(0, 10),
    platform: `${process.platform} ${process.arch}`,
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  }
}

/** Renders the description as a sentence. */
export function describeRun({ date, platform, processor, cores, memoryBytes }: Machine): string {
  const memory = `${Math.round(memoryBytes / 2 ** 30)} GB`
  return `Measured on ${date}: ${platform}, ${processor}, cores: ${cores}, memory: ${memory}. `
}
