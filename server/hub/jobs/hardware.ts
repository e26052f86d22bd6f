import { spaceFlavors } from '../../contract/words/hub-words.ts'

export const defaultFlavor = 'cpu-basic'

/** Row of `GET /api/jobs/hardware` and `GET /api/spaces/hardware`. */
export interface JobHardware {
  name: string
  prettyName: string
  cpu: string
  ram: string
  ephemeralStorage?: string
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
  storageGigabytes: number | undefined,
  microUsdPerMinute: number,
  accelerator?: readonly [model: string, quantity: number, gigabytes: number],
]

// Flavors that the clients know, with the hub's documented data; nothing is ever charged.
const rows: readonly Row[] = [
  ['cpu-basic', 'CPU Basic', 2, 16, 50, 167],
  ['cpu-upgrade', 'CPU Upgrade', 8, 32, 50, 500],
  ['cpu-xl', 'CPU XL', 16, 124, 1000, 16_667],
  ['cpu-performance', 'CPU Performance', 32, 256, 1024, 31_667],
  ['t4-small', 'Nvidia T4 - small', 4, 15, 50, 6667, ['T4', 1, 16]],
  ['t4-medium', 'Nvidia T4 - medium', 8, 30, 100, 10_000, ['T4', 1, 16]],
  ['l4x1', '1x Nvidia L4', 8, 30, 400, 13_333, ['L4', 1, 24]],
  ['l4x4', '4x Nvidia L4', 48, 186, 3200, 63_333, ['L4', 4, 96]],
  ['l40sx1', '1x Nvidia L40S', 8, 62, 380, 30_000, ['L40S', 1, 48]],
  ['l40sx4', '4x Nvidia L40S', 48, 382, 3200, 138_333, ['L40S', 4, 192]],
  ['l40sx8', '8x Nvidia L40S', 192, 1534, 6500, 391_667, ['L40S', 8, 384]],
  ['a10g-small', 'Nvidia A10G - small', 4, 15, 110, 16_667, ['A10G', 1, 24]],
  ['a10g-large', 'Nvidia A10G - large', 12, 46, 200, 25_000, ['A10G', 1, 24]],
  ['a10g-largex2', '2x Nvidia A10G - large', 24, 92, 1000, 50_000, ['A10G', 2, 48]],
  ['a10g-largex4', '4x Nvidia A10G - large', 48, 184, 2000, 83_333, ['A10G', 4, 96]],
  ['a100-large', 'Nvidia A100 - large', 12, 142, 1000, 41_667, ['A100', 1, 80]],
  ['a100x4', '4x Nvidia A100', 48, 568, 4000, 166_667, ['A100', 4, 320]],
  ['a100x8', '8x Nvidia A100', 96, 1136, 8000, 333_333, ['A100', 8, 640]],
  ['rtx-pro-6000', '1x Nvidia RTX PRO 6000', 23, 256, 475, 45_833, ['RTX PRO 6000', 1, 96]],
  ['rtx-pro-6000x2', '2x Nvidia RTX PRO 6000', 46, 512, 950, 91_667, ['RTX PRO 6000', 2, 192]],
  ['rtx-pro-6000x4', '4x Nvidia RTX PRO 6000', 92, 1024, 1900, 183_333, ['RTX PRO 6000', 4, 384]],
  ['rtx-pro-6000x8', '8x Nvidia RTX PRO 6000', 184, 2048, 3800, 366_667, ['RTX PRO 6000', 8, 768]],
  ['h200', '1x Nvidia H200', 23, 256, 3000, 83_333, ['H200', 1, 141]],
  ['h200x2', '2x Nvidia H200', 46, 512, 6000, 166_667, ['H200', 2, 282]],
  ['h200x4', '4x Nvidia H200', 92, 1024, 12_000, 333_333, ['H200', 4, 564]],
  ['h200x8', '8x Nvidia H200', 184, 2048, 24_000, 666_667, ['H200', 8, 1128]],
]

/** Shared hardware, for Spaces only. */
const sharedRow: Row = ['zero-a10g', 'ZeroGPU', 4, 30, undefined, 0, ['A10G', 1, 24]]

export const hardware: readonly JobHardware[] = rows.map(describeRow)

/** Hardware of Spaces, in the order of their flavors. */
export const spaceHardware: readonly JobHardware[] = spaceFlavors.flatMap((flavor) =>
  [sharedRow, ...rows].filter(([name]) => name === flavor).map(withoutStorage),
)

function describeRow([
  name,
  prettyName,
  cores,
  gigabytes,
  storage,
  microUsd,
  accelerator,
]: Row): JobHardware {
  return {
    name,
    prettyName,
    cpu: `${cores} vCPU`,
    ram: `${gigabytes} GB`,
    ...(storage !== undefined && { ephemeralStorage: `${storage} GB` }),
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

/** Removes the disk, which the hub lists for jobs only. */
function withoutStorage(row: Row): JobHardware {
  const { ephemeralStorage: _, ...shown } = describeRow(row)
  return shown
}

export function findHardware(name: string): JobHardware | undefined {
  return hardware.find((row) => row.name === name)
}

/** Returns the variables that describe a job's hardware: `ACCELERATOR`, `CPU_CORES`, `MEMORY`. */
export function hardwareEnvironment(flavor: string): Record<string, string> {
  const row = findHardware(flavor)
  if (row === undefined) return {}
  return {
    ACCELERATOR: row.accelerator === null ? 'none' : row.name,
    CPU_CORES: String(Number.parseInt(row.cpu, 10)),
    MEMORY: `${Number.parseInt(row.ram, 10)}Gi`,
  }
}
