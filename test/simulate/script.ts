import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createRandom } from '../../server/core/random.ts'
import type { Step } from './steps/step.ts'
import { steps } from './steps/steps.ts'

/** Increased when steps choose otherwise, so that older scripts no longer do what they were kept for. */
export const version = 1

/** Script of a run; the same script gives the same run. */
export interface Script {
  readonly seed: number
  readonly steps: readonly Step[]
}

/** Script of a file, with the title of the run. */
export interface NamedScript extends Script {
  readonly title: string
}

const names = Object.keys(steps)
const weights = Object.values(steps).map(({ weight }) => weight)
const total = weights.reduce((sum, weight) => sum + weight, 0)

/** Returns the script of a seed. */
export function writeScript(seed: number, length: number): Script {
  const random = createRandom(`script ${seed}`)
  const chosen = Array.from({ length }, (): Step => {
    let left = (random.int(2 ** 20) / 2 ** 20) * total
    const at = weights.findIndex((weight) => (left -= weight) < 0)
    return { name: names[at] ?? '', seed: random.int(2 ** 30) }
  })
  return { seed, steps: chosen }
}

/** Formats a script as a file of the corpus, with a line for each step. */
export function formatScript({ seed, steps: chosen }: Script, found: string): string {
  const lines = chosen.map(
    (step) => `    ${JSON.stringify(step, undefined, 1).replace(/\s+/g, ' ')}`,
  )
  const head = `  "version": ${version},\n  "found": ${JSON.stringify(found)},\n  "seed": ${seed},\n`
  return `{\n${head}  "steps": [\n${lines.join(',\n')}\n  ]\n}\n`
}

/**
 * Reads the scripts that a path or JSON stands for.
 * @param given JSON of a script, or path of its file, or of a folder with such files
 * @throws {TypeError} with a sentence that says what to change
 */
export function readScripts(given: string): NamedScript[] {
  if (given.trimStart().startsWith('{')) return [parseScript(given, 'script')]
  let files: string[]
  try {
    files = statSync(given).isDirectory()
      ? readdirSync(given)
          .filter((name) => name.endsWith('.json'))
          .toSorted()
          .map((name) => join(given, name))
      : [given]
    return files.map((file) => parseScript(readFileSync(file, 'utf8'), basename(file)))
  } catch (error) {
    if (error instanceof TypeError) throw error
    throw new TypeError(`Cannot read ${given}: ${(error as Error).message}`, { cause: error })
  }
}

function parseScript(text: string, title: string): NamedScript {
  const fail = (problem: string) => new TypeError(`Invalid script ${title}: ${problem}`)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw fail(`it is not JSON (${(error as Error).message})`)
  }
  const { version: found, seed, steps: listed } = Object(json) as Record<string, unknown>
  if (found !== version) {
    throw fail(
      `its "version" is ${JSON.stringify(found)}, and only ${version} can be played; find the problem again`,
    )
  }
  if (!isWhole(seed)) throw fail('"seed" must be a whole number from 0 on')
  if (!Array.isArray(listed)) throw fail('"steps" must be a list of { "name", "seed" }')
  const read = listed.map((step: unknown, index): Step => {
    const { name, seed: own } = Object(step) as Record<string, unknown>
    if (typeof name !== 'string' || !names.includes(name)) {
      throw fail(
        `step ${index + 1} has the unknown name ${JSON.stringify(name)}; use one of ${names.join(', ')}`,
      )
    }
    if (!isWhole(own))
      throw fail(`the "seed" of step ${index + 1} must be a whole number from 0 on`)
    return { name, seed: own }
  })
  return { title, seed, steps: read }
}

const isWhole = (given: unknown): given is number =>
  Number.isSafeInteger(given) && (given as number) >= 0
