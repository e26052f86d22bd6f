import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'
import type { Fixtures, FixturesFile } from '../contract/fixtures-types.ts'
import { assertShallow, deepestJson, JsonDepthError, parseShallowJson } from '../core/json-depth.ts'
import { completeFixtures } from './complete-fixtures.ts'
import { ConfigError } from './issues.ts'
import { packageRoot } from './package-root.ts'

export interface LoadedFixtures {
  fixtures: Fixtures
  /** For people: a path, or which fixtures else. */
  source: string
  /** SHA-256 (hex) of what was read. */
  hash: string
}

/** Files that a start takes when it is told none, in this order. */
const usualNames = ['hub-sandbox.json', 'hub-sandbox.yaml', 'hub-sandbox.yml']

const largestFileBytes = 64 * 1024 * 1024

const bundledFolder = join(packageRoot, 'fixtures')

/** Names of the fixtures that come with the package. */
export function bundledFixtures(): string[] {
  return readdirSync(bundledFolder)
    .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
    .map((file) => file.slice(0, -'.json'.length))
}

/** The path of the fixtures file of a folder, if it has one. */
export function findFixturesFile(folder: string): string | undefined {
  return usualNames.map((name) => join(folder, name)).find((path) => existsSync(path))
}

/** The default fixtures. They are known to be valid: a test checks them, the start need not. */
export async function defaultFixtures(): Promise<LoadedFixtures> {
  const text = await readText(join(bundledFolder, 'default.json'))
  return {
    fixtures: completeFixtures(JSON.parse(text) as FixturesFile),
    source: 'the default fixtures',
    hash: hashOf(text),
  }
}

/**
 * Reads and checks a fixtures file.
 * @param file path (from `folder`) of a JSON or YAML file, or the name of bundled fixtures
 * @throws {ConfigError} with every mistake and its path
 */
export async function readFixtures(file: string, folder: string): Promise<LoadedFixtures> {
  const given = resolve(folder, file)
  if (!existsSync(given) && file === 'default') return defaultFixtures()
  const path =
    !existsSync(given) && bundledFixtures().includes(file)
      ? join(bundledFolder, `${file}.json`)
      : given
  const text = await readText(path)
  const value = await parse(path, text)
  return {
    fixtures: await check(path, value),
    source: path === given ? shortPath(path, folder) : `the bundled fixtures "${file}"`,
    hash: hashOf(text),
  }
}

/**
 * Checks fixtures that were written in code.
 * @throws {ConfigError} with every mistake and its path
 */
export async function fixturesFromCode(value: unknown): Promise<LoadedFixtures> {
  try {
    assertShallow(value)
  } catch (error) {
    if (!(error instanceof JsonDepthError)) throw error
    throw new ConfigError('fixtures', [{ path: '', message: tooDeep }])
  }
  return {
    fixtures: await check('fixtures', value),
    source: 'fixtures given in code',
    hash: hashOf(JSON.stringify(value)),
  }
}

async function check(subject: string, value: unknown): Promise<Fixtures> {
  // A start with the default fixtures does without the checks, so it does not load them either.
  const { checkFixtures } = await import('./check-fixtures.ts')
  const result = checkFixtures(value)
  if ('issues' in result) throw new ConfigError(subject, result.issues)
  return completeFixtures(result.file)
}

/** @throws {ConfigError} when there is no such file, or it is too large */
async function readText(path: string): Promise<string> {
  try {
    const chunks: Buffer[] = []
    // What is no plain file does not say how long it is, and may never end.
    for await (const chunk of createReadStream(path, { end: largestFileBytes })) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    if (bytes.length > largestFileBytes) {
      throw unreadable(path, `is larger than ${largestFileBytes / 1024 / 1024} MiB`)
    }
    return bytes.toString('utf8').replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') {
      throw unreadable(
        path,
        `there is no such file, and the bundled fixtures are ${bundledFixtures().join(', ')}`,
      )
    }
    if (code === 'EISDIR') throw unreadable(path, 'is a folder, not a file')
    if (code === 'EACCES') throw unreadable(path, 'may not be read by this user')
    throw unreadable(path, `cannot be read: ${message}`)
  }
}

async function parse(path: string, text: string): Promise<unknown> {
  switch (extname(path).toLowerCase()) {
    case '.json':
    case '.hubsandbox':
      try {
        return parseShallowJson(text)
      } catch (error) {
        if (error instanceof JsonDepthError) throw unreadable(path, tooDeep)
        throw unreadable(path, `is not valid JSON: ${(error as Error).message}`)
      }
    case '.yaml':
    case '.yml': {
      const { parseYaml } = await import('./parse-yaml.ts')
      const result = parseYaml(text)
      if ('problem' in result) throw unreadable(path, `is not usable YAML: ${result.problem}`)
      return result.value
    }
    default:
      throw unreadable(path, 'must end in .json, .yaml, .yml or .hubsandbox')
  }
}

const tooDeep = `is nested more than ${deepestJson} levels deep`

function unreadable(path: string, message: string): ConfigError {
  return new ConfigError('fixtures', [{ path, message }])
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function shortPath(path: string, folder: string): string {
  const fromFolder = relative(folder, path)
  return fromFolder.startsWith('..') ? path : fromFolder
}
