import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('corpus', import.meta.url))
const fileOf = (name: string) => `${folder}/${name}.json`

/** Inputs that something was wrong with once, or that a random one hardly meets. */
export function readCorpus(name: string): unknown[] {
  const file = fileOf(name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown[]) : []
}

/** Keeps an input, so that every later run begins with it. @returns the file that it is kept in */
export function keepInput(name: string, input: unknown): string {
  const kept = readCorpus(name)
  const text = JSON.stringify(input)
  if (!kept.some((other) => JSON.stringify(other) === text)) kept.push(input)
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(name), `${JSON.stringify(kept, undefined, 2)}\n`)
  return fileOf(name)
}
