import { existsSync, readFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Folders whose share is printed, from the root of the project. */
const folders = [
  'server/store',
  'server/hub/webhooks',
  'server/hub/oauth',
  'server/hub',
  'server/fixtures',
  'server/web',
  'server',
]

/** Lines of a source file that have code in the built product; `true` if some of it has run. */
type Lines = ReadonlyMap<number, boolean>
/** Lines by path of the file from the root of the project. */
export type Coverage = ReadonlyMap<string, Lines>

/**
 * Counts by V8 which lines of a built product run from now on.
 * @param folder of the product, of which nothing is loaded yet
 * @returns function with what has run so far
 */
export function startCoverage(folder: string): () => Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return () => {
    const files = new Map<string, Map<number, boolean>>()
    let scripts: readonly Profiler.ScriptCoverage[] = []
    // Calls back before it returns.
    session.post('Profiler.takePreciseCoverage', (_error, { result }) => (scripts = result))
    for (const { url, functions } of scripts) {
      const script = url.replace('file://', '')
      // The runtime of the bundler has no source.
      if (script.startsWith(`${folder}/`) && existsSync(`${script}.map`)) {
        addLines(files, script, functions)
      }
    }
    return files
  }
}

function addLines(
  files: Map<string, Map<number, boolean>>,
  script: string,
  functions: readonly Profiler.FunctionCoverage[],
): void {
  const text = readFileSync(script, 'utf8')
  const hasRun = new Uint8Array(text.length)
  // A range comes after the one around it.
  for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
    hasRun.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  const map = new SourceMap(JSON.parse(readFileSync(`${script}.map`, 'utf8')) as SourceMapPayload)
  let start = 0
  for (const [row, line] of text.split('\n').entries()) {
    for (const { index } of line.matchAll(/[\w$]+/g)) {
      const found = map.findEntry(row, index)
      // Words of the bundler belong to no source.
      if (!('originalSource' in found) || found.generatedLine !== row) continue
      const path = relative(root, resolve(script, '..', found.originalSource))
      const lines = files.get(path) ?? new Map<number, boolean>()
      files.set(path, lines)
      const number = found.originalLine + 1
      lines.set(number, lines.get(number) === true || hasRun[start + index] === 1)
    }
    start += line.length + 1
  }
}

/** Formats the share of each folder, and the lines of each file that have not run, most of them first. */
export function formatCoverage(files: Coverage): { shares: string; unreached: string } {
  const shares = folders.map((folder) => {
    const found = [...files].filter(([path]) => path.startsWith(`${folder}/`))
    const lines = found.flatMap(([, of]) => [...of.values()])
    const share = lines.filter(Boolean).length / lines.length
    return `${folder}: ${(share * 100).toFixed(1)} % of ${lines.length} lines`
  })
  const unreached = [...files]
    .filter(([path]) => path.startsWith('server/'))
    .map(([path, of]) => {
      const lines = [...of].flatMap(([line, hasRun]) => (hasRun ? [] : [line]))
      return {
        count: lines.length,
        text: `${lines.length} of ${of.size} in ${path}: ${spansOf(lines)}\n`,
      }
    })
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count)
  return { shares: shares.join('\n'), unreached: unreached.map(({ text }) => text).join('') }
}

/** @returns such as `3-5, 9` */
function spansOf(lines: readonly number[]): string {
  const spans: [first: number, last: number][] = []
  for (const line of lines.toSorted((one, other) => one - other)) {
    const span = spans.at(-1)
    if (span !== undefined && line <= span[1] + 1) span[1] = line
    else spans.push([line, line])
  }
  return spans.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(', ')
}
