import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { NodeProgram } from './nodes.ts'
import type { Measured, Result } from './row.ts'

const program = fileURLToPath(new URL('measure.ts', import.meta.url))
const loader = import.meta.resolve('tsx')
const timeoutMs = 300_000

/** Measures a row in a process of its own, so that all of its programs run on the given Node. */
export async function measureRow(
  row: string,
  node: NodeProgram,
  flags: readonly string[],
): Promise<Measured> {
  if (node.obstacle !== undefined) return { row, results: [], failure: node.obstacle }
  const child = spawn(node.path, ['--import', loader, program, row, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const end = await new Promise<number | NodeJS.Signals | Error | null>((resolve) => {
    child.once('error', resolve)
    child.once('close', (code, signal) => resolve(signal ?? code))
  })
  if (end === 0) return { row, results: JSON.parse(output) as Result[] }
  if (end === 'SIGTERM') {
    return { row, results: [], failure: `timeout after ${timeoutMs / 1000} s` }
  }
  const why = /^\w*Error: .*/m.exec(errors)?.[0] ?? errors.trim().split('\n').at(-1)
  return { row, results: [], failure: why || `exit code ${String(end)}` }
}
