import { spaceFlavors } from '../contract/words/hub.ts'

export const defaultFlavor = 'cpu-basic'

/** A row of `GET /api/jobs/hardware` and of `GET /api/spaces/hardware`. */
export interface JobHardware {
  name: string
  prettyName: string
  cpu: string
  ram: string
  accelerator: {
    type: 'gpu'
    model: string
    quantity: string
    vram: string
    manufacturer: 'Nvidia'
  } | null
  unitCostMicroUSD: number
  unitCostUSD: number
  unitLabel: 'minute'
}

type Row = readonly [
  name: string,
  prettyName: string,
  cores: number,
  gigabytes: number,
  microUsdPerMinute: number,
  accelerator?: readonly [model: string, quantity: number, gigabytes: number],
]

// The flavors that the clients name. Prices are of the order of the hub's: nothing is ever charged.
const rows: readonly Row[] = [
  ['cpu-basic', 'CPU Basic', 2, 16, 167],
  ['cpu-upgrade', 'CPU Upgrade', 8, 32, 500],
  ['t4-small', 'Nvidia T4 - small', 4, 15, 6667, ['T4', 1, 16]],
  ['t4-medium', 'Nvidia T4 - medium', 8, 30, 10_000, ['T4', 1, 16]],
  ['l4x1', '1x Nvidia L4', 8, 30, 13_333, ['L4', 1, 24]],
  ['l4x4', '4x Nvidia L4', 48, 186, 63_333, ['L4', 4, 96]],
  ['l40sx1', '1x Nvidia L40S', 8, 62, 30_000, ['L40S', 1, 48]],
  ['l40sx4', '4x Nvidia L40S', 48, 382, 138_333, ['L40S', 4, 192]],
  ['l40sx8', '8x Nvidia L40S', 192, 1534, 391_667, ['L40S', 8, 384]],
  ['a10g-small', 'Nvidia A10G - small', 4, 15, 16_667, ['A10G', 1, 24]],
  ['a10g-large', 'Nvidia A10G - large', 12, 46, 25_000, ['A10G', 1, 24]],
  ['a10g-largex2', '2x Nvidia A10G - large', 24, 92, 50_000, ['A10G', 2, 48]],
  ['a10g-largex4', '4x Nvidia A10G - large', 48, 184, 83_333, ['A10G', 4, 96]],
  ['a100-large', 'Nvidia A100 - large', 12, 142, 41_667, ['A100', 1, 80]],
  ['a100x4', '4x Nvidia A100', 48, 568, 166_667, ['A100', 4, 320]],
  ['a100x8', '8x Nvidia A100', 96, 1136, 333_333, ['A100', 8, 640]],
  ['rtx-pro-6000', '1x Nvidia RTX PRO 6000', 22, 120, 45_833, ['RTX PRO 6000', 1, 96]],
  ['rtx-pro-6000x2', '2x Nvidia RTX PRO 6000', 44, 240, 91_667, ['RTX PRO 6000', 2, 192]],
  ['rtx-pro-6000x4', '4x Nvidia RTX PRO 6000', 88, 480, 183_333, ['RTX PRO 6000', 4, 384]],
  ['rtx-pro-6000x8', '8x Nvidia RTX PRO 6000', 176, 960, 366_667, ['RTX PRO 6000', 8, 768]],
  ['h100', '1x Nvidia H100', 23, 240, 75_000, ['H100', 1, 80]],
  ['h200', '1x Nvidia H200', 23, 256, 83_333, ['H200', 1, 141]],
]

/** Shared by Spaces, and by nothing else. */
const sharedRow: Row = ['zero-a10g', 'ZeroGPU', 4, 30, 0, ['A10G', 1, 24]]

export const hardware: readonly JobHardware[] = rows.map(describeRow)

/** What a Space may run on, in the order of the list that names it. */
export const spaceHardware: readonly JobHardware[] = spaceFlavors.flatMap((flavor) =>
  [sharedRow, ...rows].filter(([name]) => name === flavor).map(describeRow),
)

function describeRow([
  name,
  prettyName,
  cores,
  gigabytes,
  microUsd,
  accelerator,
]: Row): JobHardware {
  return {
    name,
    prettyName,
    cpu: `${cores} vCPU`,
    ram: `${gigabytes} GB`,
    accelerator: accelerator
      ? {
          type: 'gpu',
          model: accelerator[0],
          quantity: String(accelerator[1]),
          vram: `${accelerator[2]} GB`,
          manufacturer: 'Nvidia',
        }
      : null,
    unitCostMicroUSD: microUsd,
    unitCostUSD: microUsd / 1e6,
    unitLabel: 'minute',
  }
}

export function findHardware(name: string): JobHardware | undefined {
  return hardware.find((row) => row.name === name)
}

/** What a job is told of its hardware: `ACCELERATOR`, `CPU_CORES`, `MEMORY`. */
export function hardwareEnvironment(flavor: string): Record<string, string> {
  const row = findHardware(flavor)
  if (row === undefined) return {}
  return {
    ACCELERATOR: row.accelerator === null ? 'none' : row.name,
    CPU_CORES: String(Number.parseInt(row.cpu, 10)),
    MEMORY: `${Number.parseInt(row.ram, 10)}Gi`,
  }
}
