import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A question of users and the recipe that answers it. */
export interface RecipeEntry {
  question: string
  /** Below `test/recipes/`; the test that runs it has the same name. */
  folder: string
}

const quoted = String.raw`\s*(['"])((?:\\.|(?!\1).)+)\1`

/**
 * Reads the recipes with the questions from their tests.
 * @param directory `test/recipes/`
 * @throws {Error} for a folder without a test, a test without a folder, or a test of another folder
 */
export function readRecipes(directory: URL): RecipeEntry[] {
  const entries = readdirSync(directory, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const tests = entries.flatMap(({ name }) => /^(.+)\.test\.ts$/.exec(name)?.[1] ?? [])
  const untested = folders.find((name) => !tests.includes(name))
  if (untested !== undefined) {
    throw new Error(`test/recipes/${untested} has no test: ${untested}.test.ts must run it`)
  }
  const empty = tests.find((name) => !folders.includes(name))
  if (empty !== undefined) {
    throw new Error(`test/recipes/${empty}.test.ts has no recipe: the folder ${empty} is missing`)
  }
  return tests.toSorted().map((name) => readRecipe(directory, name))
}

function readRecipe(directory: URL, name: string): RecipeEntry {
  const path = fileURLToPath(new URL(`${name}.test.ts`, directory))
  const text = readFileSync(path, 'utf8')
  const folder = literalAfter('folder', text)
  if (folder !== name) {
    throw new Error(`${path} must run the recipe of its own name, with folder: '${name}'`)
  }
  const question = literalAfter('question', text)
  if (question === undefined || !question.endsWith('?')) {
    throw new Error(`${path} must have the user's question as one literal: question: 'How do I …?'`)
  }
  return { question, folder }
}

function literalAfter(key: string, text: string): string | undefined {
  const literal = new RegExp(`^ *${key}:${quoted}`, 'm').exec(text)?.[2]
  return literal?.replaceAll(/\\(.)/g, '$1')
}
