import { resolve } from 'node:path'
import { pullCacheFolder } from '../app/hub-caches.ts'
import { largestFileBytes } from '../contract/fixtures/limits.ts'
import { isLoopbackHost } from '../core/loopback.ts'
import { sleep } from '../core/timers.ts'
import { readUserText, UserFileError } from '../core/user-file.ts'
import { findFixturesFile } from '../fixtures/find-file.ts'
import type { RepoChanges } from '../fixtures/pull/compare-repo.ts'
import { openPull, type Pull } from '../fixtures/pull/open-pull.ts'
import { PullError } from '../fixtures/pull/pull-error.ts'
import type { PulledInto } from '../fixtures/pull/pull-into.ts'
import { realHub } from '../hub/oauth/ci/ci-id-token.ts'
import { fetchBytes } from '../web/outgoing/fetch-bytes.ts'
import { CommandError } from './command-error.ts'
import { schemaAddress } from './init.ts'
import { print, printJson, say } from './output.ts'
import { replaceFile } from './replace-file.ts'

export interface PullOptions {
  revision?: string
  files?: string[]
  maxFile?: string
  out?: string
  from?: string
  token?: string
  check?: boolean
  update?: boolean
  json?: boolean
}

interface OpenFile {
  readonly name: string
  /** Absent for a new file. */
  readonly text: string | undefined
}

/** Copies repos of a Hub into a fixtures file, or compares those that it has. */
export async function pull(names: readonly string[], options: PullOptions): Promise<void> {
  const { out, token, revision, files, maxFile } = options
  try {
    const name = out ?? findFixturesFile('') ?? 'hub-sandbox.json'
    const text = await readText(name)
    const input = { name, text, schema: schemaAddress(resolve(name)), hub: readHub(options.from) }
    const opened = await openPull(
      { fetch: fetchBytes, sleep, now: Date.now, say },
      { ...input, token, cacheFolder: pullCacheFolder() },
    )
    if (options.check === true) return printChanges(name, await opened.check(names), options)
    const pulled = await (options.update === true
      ? opened.update(names)
      : opened.add(names, { revision, patterns: files, maxFile }))
    const isWritten = await write({ name, text }, pulled, opened)
    printResult({ name, text }, pulled, { isWritten, json: options.json === true })
  } catch (error) {
    if (!(error instanceof PullError)) throw error
    throw new CommandError(error.message, { exitCode: 2, cause: error })
  }
}

/** @returns whether the file had to be written */
async function write({ name, text }: OpenFile, pulled: PulledInto, opened: Pull) {
  const isNew = pulled.repos.length > 0 && pulled.text !== text
  if (isNew) {
    // Fetching may take long, and the user goes on meanwhile.
    if ((await readText(name)) !== text) {
      throw new PullError(
        `${name} has changed since the command started: run it again; what was fetched is kept.`,
      )
    }
    await replaceFile(name, pulled.text)
  }
  await opened.release(pulled)
  return isNew
}

function printResult(
  { name, text }: OpenFile,
  { repos, added }: PulledInto,
  { isWritten, json }: { isWritten: boolean; json: boolean },
): void {
  if (json) return printJson({ file: name, isWritten, added, repos })
  for (const { repo, commit, files, standIns, edited } of repos) {
    const large = standIns === 0 ? '' : `, ${standIns} of them stand-ins`
    print(`${repo} at ${commit.slice(0, 7)}: ${files} file${files === 1 ? '' : 's'}${large}`)
    if (edited.length > 0) print(`  kept as edited here: ${edited.join(', ')}`)
  }
  if (!isWritten) return print(`${name} is up to date.`)
  if (text === undefined) say('The new file has the user alice, whose token is hf_sandbox_alice.')
  const accounts = [
    ...added.organizations.map((one) => `the organization ${one}`),
    ...added.users.map((one) => `the user ${one}`),
  ]
  print(`Wrote ${name}${accounts.length === 0 ? '' : `, with ${accounts.join(' and ')} added`}.`)
}

function printChanges(
  file: string,
  repos: readonly RepoChanges[],
  { json }: Pick<PullOptions, 'json'>,
): void {
  if (repos.some(({ state }) => state !== 'unchanged')) process.exitCode = 1
  if (json === true) return printJson({ file, repos })
  for (const changes of repos) for (const line of linesOf(changes)) print(line)
}

function linesOf(changes: RepoChanges): string[] {
  const { repo, state, from, to = '', added, changed, removed, settings, edited } = changes
  const short = from.slice(0, 7)
  const edits = edited.map((path) => `  edited here  ${path}`)
  if (state === 'gone') return [`${repo} is gone, or private by now (pulled at ${short})`, ...edits]
  if (state === 'unchanged') return [`${repo} is unchanged (${short})`, ...edits]
  return [
    `${repo} has changed (${short} → ${to.slice(0, 7)})`,
    ...settings.map((setting) => `  setting  ${setting}`),
    ...added.map((path) => `  added    ${path}`),
    ...changed.map((path) => `  changed  ${path}`),
    ...removed.map((path) => `  removed  ${path}`),
    ...edits,
  ]
}

/** @throws {PullError} for a value that is not the URL of a site */
function readHub(given: string | undefined): string {
  const text = given ?? (process.env['HF_ENDPOINT'] || realHub)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isUsable = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url !== undefined && isUsable && url.username === '' && url.search === '') {
    // A shell that runs programs against a sandbox has the variable set.
    if (given === undefined && isLoopbackHost(url.hostname)) {
      say(`HF_ENDPOINT is ${text}: add --from ${realHub} to read the real Hub.`)
    }
    return text
  }
  const source = given === undefined ? 'HF_ENDPOINT' : '--from'
  throw new PullError(`${source} must be the URL of a Hub, such as ${realHub}, not ${text}.`)
}

/** @returns `undefined` for a file that does not exist */
async function readText(name: string): Promise<string | undefined> {
  try {
    return await readUserText(name, largestFileBytes)
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error
    if (error.code === 'ENOENT') return undefined
    throw new PullError(`${name} ${error.message}.`, { cause: error })
  }
}
