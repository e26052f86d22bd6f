import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { measureRow } from './measure-row.ts'
import type { NodeProgram } from './nodes.ts'
import { breakDown, type CpuProfile, formatBreakdown } from './profile.ts'

const folder = fileURLToPath(new URL('../../test-results/bench', import.meta.url))

/**
 * Measures a row while the sandbox's time is sampled. Its figures are worth nothing then.
 * @returns where the time went, for people
 */
export async function profileRow(
  row: string,
  node: NodeProgram,
  flags: readonly string[],
): Promise<string> {
  const file = join(folder, `${row}-${node.name.replace(' ', '-').toLowerCase()}.cpuprofile`)
  const { failure } = await measureRow(row, node, [...flags, `--profile-to=${file}`])
  if (failure !== undefined) return `${row}, ${node.name}: ${failure}`
  if (!existsSync(file)) {
    return `${row}, ${node.name}: it has no sandbox that runs on while it is measured, so there is no profile`
  }
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile
  const breakdown = breakDown(profile, (url) =>
    url.startsWith('file:') ? readFileSync(fileURLToPath(url), 'utf8') : undefined,
  )
  return `${row}, ${node.name}: ${file}\n${formatBreakdown(breakdown)}`
}
