import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listSamples } from '../../cli/samples.ts'

/** A question of users and the sample that answers it. */
export interface SampleEntry {
  question: string
  /** Folder and name of the sample. */
  folder: string
  /** Folder of the folder: `kits` or `recipes`. */
  kind: string
}

/**
 * Reads the samples: test kits and recipes.
 * @param root folder with `test/kits/` and `test/recipes/`
 * @throws {Error} for a folder without README.md, or a recipe that no test of its name runs
 */
export function readSamples(root: URL): SampleEntry[] {
  const samples = listSamples(fileURLToPath(root)).map(({ name, title, folder }) => {
    if (!title.endsWith('?')) {
      throw new Error(`${folder}/README.md must begin with the user's question: # How do I …?`)
    }
    return { question: title, folder: name, kind: basename(dirname(folder)) }
  })
  for (const kind of ['kits', 'recipes']) {
    const named = samples.filter((sample) => sample.kind === kind).map(({ folder }) => folder)
    const folders = readdirSync(new URL(`test/${kind}/`, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    const unexplained = folders.find((name) => !named.includes(name))
    if (unexplained !== undefined) {
      throw new Error(`test/${kind}/${unexplained} has no README.md`)
    }
  }
  const recipes = samples.filter(({ kind }) => kind === 'recipes').map(({ folder }) => folder)
  const tests = readdirSync(new URL('test/recipes/', root)).flatMap(
    (name) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? [],
  )
  const untested = recipes.find((name) => !tests.includes(name))
  if (untested !== undefined) {
    throw new Error(`test/recipes/${untested} has no test: ${untested}.test.ts must run it`)
  }
  const empty = tests.find((name) => !recipes.includes(name))
  if (empty !== undefined) {
    throw new Error(`test/recipes/${empty}.test.ts has no recipe: the folder ${empty} is missing`)
  }
  return samples
}
