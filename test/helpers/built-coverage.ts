import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeProcessCovs, type ProcessCov } from '@bcoe/v8-coverage'
import { convert, type Options } from 'ast-v8-to-istanbul'
import libCoverage, { type CoverageMap } from 'istanbul-lib-coverage'
import { parseAstAsync } from 'vite'

type SourceMap = NonNullable<Options['sourceMap']>

/** How many files are held at once: each tells of every function of the bundle. */
const batchSize = 20

/** What ran of the built files, in all processes or pages that wrote into the folder. */
function readRuns(folder: string, built: string): ProcessCov {
  const names = existsSync(folder) ? readdirSync(folder) : []
  let merged: ProcessCov = { result: [] }
  for (let start = 0; start < names.length; start += batchSize) {
    const batch = names.slice(start, start + batchSize).flatMap((name) => {
      const { result } = readRun(join(folder, name))
      return { result: result.filter(({ url }) => url.startsWith(built)) }
    })
    merged = mergeProcessCovs([merged, ...batch])
  }
  return merged
}

/** A process that a test killed while it wrote leaves half a file, which tells nothing. */
function readRun(path: string): ProcessCov {
  const text = readFileSync(path, 'utf8')
  try {
    return JSON.parse(text) as ProcessCov
  } catch (error) {
    if (error instanceof SyntaxError) return { result: [] }
    throw error
  }
}

/**
 * Tells of the sources what V8 told of the files that were built of them.
 * @param folder of raw coverage, as Node writes it
 * @param built address of the folder of the built files, which lie beside their source maps
 */
export async function readBuiltCoverage(folder: string, built: URL): Promise<CoverageMap> {
  const map = libCoverage.createCoverageMap({})
  for (const coverage of readRuns(folder, built.href).result) {
    const path = fileURLToPath(coverage.url)
    if (!existsSync(`${path}.map`)) continue
    const code = readFileSync(path, 'utf8')
    const sourceMap = JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMap
    map.merge(await convert({ code, sourceMap, coverage, ast: parseAstAsync(code) }))
  }
  return map
}
